//! Threads that run on this machine without any limit: that they start, wait, and see their waits end.
#![cfg(target_os = "linux")]

use live::{Outcome, Setup, Start, Wait, Waiter, measure};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn first_processor() -> usize {
    let set = rustix::thread::sched_getaffinity(None).expect("a thread knows where it may run");
    (0..rustix::thread::CpuSet::MAX_CPU).find(|&at| set.is_set(at)).expect("it runs somewhere")
}

fn measured(waiters: Vec<Waiter>, burner: bool) -> Outcome {
    let setup = Setup { processor: first_processor(), length: 60 * MS, burner, waiters, seed: 1 };
    measure(&setup, |_| Ok(())).expect("a thread may run where this one does")
}

#[test]
fn no_timer_is_seen_before_it_is_due() {
    let waiter = |start| Waiter { wait: Wait::Timer(3 * MS), start };
    let outcome = measured(vec![waiter(Start::Uniform(2 * MS)), waiter(Start::Locked(MS / 10))], true);
    for waited in &outcome.waiters {
        let counted = waited.waits.len() as u64 + waited.missed;
        assert!(counted > 0, "a waiter did nothing");
        assert!(waited.waits.iter().all(|seen| seen.due.is_some_and(|due| seen.seen >= due)));
        assert!(waited.waits.iter().all(|seen| seen.due == Some(seen.started + 3_000_000)));
    }
}

#[test]
fn work_that_starts_later_does_its_work() {
    let outcome = measured(vec![Waiter { wait: Wait::Timer(MS), start: Start::Locked(2 * MS) }], false);
    assert!(!outcome.waiters[0].waits.is_empty());
    assert!(outcome.waiters[0].waits.iter().all(|seen| seen.started - seen.began >= 2_000_000));
}

#[test]
fn the_burner_is_known_before_it_starts_and_can_be_refused() {
    let waiters = vec![Waiter { wait: Wait::Timer(MS), start: Start::Uniform(MS) }];
    let setup = Setup { processor: first_processor(), length: 60 * MS, burner: true, waiters, seed: 1 };
    let mut told = None;
    let refused = measure(&setup, |thread| {
        told = thread;
        Err("not now".to_owned())
    });
    assert!(told.is_some_and(|thread| thread > 0));
    assert_eq!(refused.expect_err("it was called off")[0].what, "not now");
}

#[test]
fn a_processor_that_is_not_there_is_a_problem() {
    let waiters = vec![Waiter { wait: Wait::Timer(MS), start: Start::Uniform(MS) }];
    for processor in [1023, 1 << 20] {
        let setup = Setup { processor, length: MS, burner: true, waiters: waiters.clone(), seed: 1 };
        assert_eq!(measure(&setup, |_| Ok(())).expect_err("no machine has this many")[0].key, "processor");
    }
}

#[test]
fn reads_that_cannot_be_direct_are_a_problem() {
    let folder = std::env::temp_dir().join(format!("slicewright-threads-{}", std::process::id()));
    std::fs::write(&folder, [0; 100]).expect("a file can be written there");
    for path in [folder.clone(), "/no/such/file".into()] {
        let wait = Wait::Read { path, bytes: 4096 };
        let setup = Setup {
            processor: first_processor(),
            length: MS,
            burner: false,
            waiters: vec![Waiter { wait, start: Start::Uniform(MS) }],
            seed: 1,
        };
        assert_eq!(measure(&setup, |_| Ok(())).expect_err("nothing to read")[0].key, "disk");
    }
    std::fs::remove_file(folder).expect("it is still there");
}

#[test]
fn calls_take_their_time_and_their_processor_time() {
    let called = live::calls(20 * MS);
    let count = called.stretches.len() as u64 * u64::from(live::STRETCH);
    assert!(count > 0);
    assert!(called.cpu > 0);
    // Calls of a thread that keeps its processor take its time: no call is quicker than a nanosecond.
    assert!(called.stretches.iter().map(|&stretch| u64::from(stretch)).sum::<u64>() > count);
}
