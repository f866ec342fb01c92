//! Several systems that share names, and how each hears of what the others ask for.

mod complex;
mod mode;
mod ring;

pub use complex::{Answered, Ask, Complex, Give, Hole, Told, Wanted};
pub use mode::{Delay, Mode, Place};
pub use ring::Ring;
