//! Is a scenario four times as long read in about four times the time?

mod sample;

use sample::with;
use scenario::Scenario;
use std::time::{Duration, Instant};

/// The sample whose guest has this many steps, all on one line.
fn steps(count: usize) -> String {
    let steps = "{ think = \"1 ms\" }, ".repeat(count);
    with("program = [", &format!("program = [ {steps}"))
}

/// How long a scenario takes to be read, the fastest of five: others use this machine too.
fn takes(text: &str) -> Duration {
    let times = (0..5).map(|_| {
        let started = Instant::now();
        Scenario::read(text.as_bytes(), "long.toml", &[]).expect("nothing is wrong with it");
        started.elapsed()
    });
    times.min().expect("there are five")
}

/// A step that reads the rest of its line for each value has a ratio of sixteen.
#[test]
fn a_program_on_one_line_takes_as_long_as_it_has_steps() {
    let (once, four_times) = (takes(&steps(3_000)), takes(&steps(12_000)));
    assert!(four_times < once * 9, "3,000 steps take {once:?}, 12,000 take {four_times:?}");
}
