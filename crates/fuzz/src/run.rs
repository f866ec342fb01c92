//! The loop: inputs to a check until a bound is reached, and the input named when the check fails.

use crate::Mutator;
use std::time::{Duration, Instant};

/// The environment variable with the number of inputs of a run, the same ones whenever it is repeated.
pub const INPUTS: &str = "SLICEWRIGHT_FUZZ_INPUTS";

/// The environment variable with the length of a run in seconds.
pub const SECONDS: &str = "SLICEWRIGHT_FUZZ_SECONDS";

/// No check of one input may take longer: a reader that does has a cost that explodes.
pub const LONGEST_CHECK: Duration = Duration::from_secs(10);

/// How long a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// This many inputs.
    Inputs(u64),
    /// Until this much time has passed.
    Time(Duration),
}

impl Bound {
    /// This many inputs, or what the environment variables [`INPUTS`] or [`SECONDS`] say.
    ///
    /// # Panics
    ///
    /// When one of them holds something that is not a whole number.
    pub fn or_from_environment(inputs: u64) -> Self {
        let said = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.trim().parse().unwrap_or_else(|_| panic!("{name} must be a whole number, not `{text}`")))
        };
        match (said(INPUTS), said(SECONDS)) {
            (Some(inputs), _) => Bound::Inputs(inputs),
            (None, Some(seconds)) => Bound::Time(Duration::from_secs(seconds)),
            (None, None) => Bound::Inputs(inputs),
        }
    }
}

/// Feeds inputs to `check` until the bound is reached; how many they were.
///
/// # Panics
///
/// When `check` panics, after printing the seed, the number and the bytes of the input, and when one check takes longer
/// than [`LONGEST_CHECK`].
pub fn run(mutator: &mut Mutator, bound: Bound, mut check: impl FnMut(&[u8])) -> u64 {
    let start = Instant::now();
    let mut tried = 0;
    loop {
        let done = match bound {
            Bound::Inputs(inputs) => tried >= inputs,
            Bound::Time(time) => start.elapsed() >= time,
        };
        if done {
            break;
        }
        let bytes = mutator.input();
        let input = Input { seed: mutator.seed(), number: tried, bytes: &bytes };
        let begun = Instant::now();
        check(input.bytes);
        assert!(begun.elapsed() < LONGEST_CHECK, "one input took {:?}", begun.elapsed());
        tried += 1;
    }
    println!("{tried} inputs from seed {} in {:.1} s", mutator.seed(), start.elapsed().as_secs_f64());
    tried
}

/// The input under check; it names itself when the check panics.
struct Input<'a> {
    seed: u64,
    number: u64,
    bytes: &'a [u8],
}

impl Drop for Input<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let shown = &self.bytes[..self.bytes.len().min(4_096)];
            eprintln!(
                "fuzz: seed {}, input {} ({} bytes): b\"{}\"",
                self.seed,
                self.number,
                self.bytes.len(),
                shown.escape_ascii()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_in_inputs_is_kept_exactly() {
        let mut seen = 0;
        assert_eq!(run(&mut Mutator::new(1), Bound::Inputs(37), |_| seen += 1), 37);
        assert_eq!(seen, 37);
    }

    #[test]
    fn time_decides_how_many_and_never_which() {
        let mut by_time = Vec::new();
        let bound = Bound::Time(Duration::from_millis(5));
        run(&mut Mutator::new(2).corpus(["x 1\n"]), bound, |input| by_time.push(input.to_vec()));
        let mut by_count = Vec::new();
        let bound = Bound::Inputs(by_time.len() as u64);
        run(&mut Mutator::new(2).corpus(["x 1\n"]), bound, |input| by_count.push(input.to_vec()));
        assert_eq!(by_time, by_count);
    }

    #[test]
    #[should_panic(expected = "found it")]
    fn a_failing_check_fails_the_run() {
        run(&mut Mutator::new(3), Bound::Inputs(1_000), |input| assert!(!input.contains(&0), "found it"));
    }
}
