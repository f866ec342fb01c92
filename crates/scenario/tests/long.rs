//! Is a scenario twice as long read in about twice the time?

mod sample;

use sample::with;
use scenario::Scenario;
use std::time::{Duration, Instant};

/// The sample whose guest has so many steps, all on one line.
fn steps(count: usize) -> String {
    let steps = "{ think = \"1 ms\" }, ".repeat(count);
    with("program = [", &format!("program = [ {steps}"))
}

/// How long a scenario takes to be read, the middle of five.
fn takes(text: &str, set: &[String]) -> Duration {
    let mut times: Vec<Duration> = (0..5)
        .map(|_| {
            let started = Instant::now();
            Scenario::read(text.as_bytes(), "long.toml", set).expect("nothing is wrong with it");
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[2]
}

/// A step that reads the rest of its line for each value has a ratio of four.
#[test]
fn a_program_on_one_line_takes_as_long_as_it_has_steps() {
    let (once, twice) = (takes(&steps(8_000), &[]), takes(&steps(16_000), &[]));
    assert!(twice < once * 3, "8,000 steps take {once:?}, 16,000 take {twice:?}");
}
