//! Laws: what holds for any machine and any load, tried on random plans.

mod accounts;
mod any_change;
mod any_control_program;
mod any_domains;
mod any_enqueues;
mod any_plan;
mod any_queues;
mod any_spin_locks;
mod any_thread_locks;
mod any_threads;
mod any_weights;
mod books;
mod control_programs;
mod lpar_groups;
mod monotone;
mod slices;
mod spin_locks;
mod weights;

use proptest::test_runner::{Config, RngSeed};

/// This many random cases, the same in every run: a failure can be met again, and a pass means the same everywhere.
fn cases(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}
