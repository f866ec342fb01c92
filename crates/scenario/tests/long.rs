//! Is a scenario four times as long read in about four times the time?

use crate::sample::with;
use scenario::Scenario;
use std::time::{Duration, Instant};

/// The sample whose guest has this many steps, all on one line.
fn steps(count: usize) -> String {
    let steps = "{ think = \"1 ms\" }, ".repeat(count);
    with("program = [", &format!("program = [ {steps}"))
}

/// How long a scenario takes to be read.
fn takes(text: &str) -> Duration {
    let started = Instant::now();
    Scenario::read(text.as_bytes(), "long.toml", &[]).expect("nothing is wrong with it");
    started.elapsed()
}

/// A step that reads the rest of its line for each value has a ratio of sixteen. The fastest of many counts, because
/// others use the processors too.
#[test]
fn a_program_on_one_line_takes_as_long_as_it_has_steps() {
    let (text, long) = (steps(3_000), steps(12_000));
    let (mut once, mut four_times) = (Duration::MAX, Duration::MAX);
    let linear = (0..40).any(|turn| {
        (once, four_times) = (once.min(takes(&text)), four_times.min(takes(&long)));
        turn >= 4 && four_times < once * 9
    });
    assert!(linear, "3,000 steps take {once:?}, 12,000 take {four_times:?}");
}
