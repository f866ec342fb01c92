//! Laws: what holds of the service after any history of requests.

mod any_history;
mod books;
mod deadlock;
mod state;

use proptest::test_runner::{Config, RngSeed};

/// This many random cases, the same in every run: a failure can be met again, and a pass means the same everywhere.
fn cases(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}
