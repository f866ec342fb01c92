//! How long a logical processor runs at most before the others are looked at.

use units::Span;

/// The longest run that the formula gives.
pub const FORMULA: Span = Span::from_ms(25);
/// The shortest.
pub const LEAST: Span = Span::from_us(12_500);
/// The run of a vertical high, whatever a user sets for the others (PR/SM Planning Guide, HiperDispatch).
pub const HIGH: Span = Span::from_ms(100);

/// 25 ms x shared physical processors / logical ones that share them and run, from 12.5 to 25 ms (PR/SM
/// Planning Guide, dynamically determined run time).
pub fn run_time(physical: u32, logical: u32) -> Span {
    let run = FORMULA.units() * u64::from(physical) / u64::from(logical.max(1));
    Span::from_units(run).clamp(LEAST, FORMULA)
}
