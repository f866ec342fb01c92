//! Chains of waiting tasks, and circles in which they wait for ever.

use super::harness::{Exclusive, Harness, Shared, task};

fn circles(harness: &Harness) -> Vec<String> {
    let show = |link: &serialization::service::Link| {
        format!("{}-{}-{}", link.waiter.task, String::from_utf8_lossy(link.name.rname()), link.blocker.task)
    };
    harness
        .service
        .deadlocks()
        .iter()
        .map(|deadlock| deadlock.circle.iter().map(show).collect::<Vec<_>>().join(" "))
        .collect()
}

/// DISPLAY GRS,ANALYZE,WAITER.
#[test]
fn a_waiter_is_blocked_by_those_ahead_that_it_cannot_join() {
    let mut harness = Harness::new();
    harness.wants(1, Shared, "A");
    harness.wants(2, Exclusive, "A");
    harness.wants(3, Shared, "A");
    let waits = harness.service.waits();
    let blocked: Vec<(u32, Vec<u32>)> =
        waits.iter().map(|wait| (wait.by.task, wait.blockers.iter().map(|blocker| blocker.task).collect())).collect();
    assert_eq!(blocked, [(2, vec![1]), (3, vec![2])]);
}

#[test]
fn waiting_is_no_deadlock() {
    let mut harness = Harness::new();
    harness.wants(1, Exclusive, "A");
    harness.wants(2, Exclusive, "A");
    harness.wants(2, Exclusive, "B");
    harness.wants(3, Exclusive, "B");
    assert_eq!(circles(&harness), [""; 0]);
}

/// DISPLAY GRS,ANALYZE,DEPENDENCY: the classic embrace, in opposite order.
#[test]
fn two_in_opposite_order_wait_for_ever() {
    let mut harness = Harness::new();
    harness.wants(1, Exclusive, "A");
    harness.wants(2, Exclusive, "B");
    harness.wants(1, Exclusive, "B");
    harness.wants(2, Exclusive, "A");
    assert_eq!(circles(&harness), ["1-B-2 2-A-1"]);
}

/// Sharing does not help when a task between waits for exclusive control.
#[test]
fn tasks_that_share_can_block_each_other() {
    let mut harness = Harness::new();
    harness.wants(1, Shared, "A");
    harness.wants(3, Exclusive, "B");
    harness.wants(2, Exclusive, "A");
    harness.wants(3, Shared, "A");
    harness.wants(1, Shared, "B");
    assert_eq!(circles(&harness), ["1-B-3 3-A-2 2-A-1"]);
}

/// Two circles that do not touch are two deadlocks, in the order of their tasks.
#[test]
fn deadlocks_are_distinguished() {
    let mut harness = Harness::new();
    for (one, other, a, b) in [(5, 6, "A", "B"), (1, 2, "C", "D")] {
        harness.wants(one, Exclusive, a);
        harness.wants(other, Exclusive, b);
        harness.wants(one, Exclusive, b);
        harness.wants(other, Exclusive, a);
    }
    assert_eq!(circles(&harness), ["1-D-2 2-C-1", "5-B-6 6-A-5"]);
}

/// A task that waits for one in a circle is not in the circle.
#[test]
fn a_bystander_is_not_in_the_circle() {
    let mut harness = Harness::new();
    harness.wants(1, Exclusive, "A");
    harness.wants(2, Exclusive, "B");
    harness.wants(1, Exclusive, "B");
    harness.wants(2, Exclusive, "A");
    harness.wants(3, Exclusive, "A");
    assert_eq!(harness.service.deadlocks()[0].tasks, [task(1), task(2)]);
}

/// A deadlock goes away when one of its tasks ends.
#[test]
fn the_end_of_one_frees_the_other() {
    let mut harness = Harness::new();
    harness.wants(1, Exclusive, "A");
    harness.wants(2, Exclusive, "B");
    harness.wants(1, Exclusive, "B");
    harness.wants(2, Exclusive, "A");
    harness.end_task(task(1));
    assert_eq!(harness.granted(), [2]);
    assert_eq!(circles(&harness), [""; 0]);
}

/// A long queue and a long chain are walked without recursion.
#[test]
fn eight_thousand_may_wait_in_a_circle() {
    let mut harness = Harness::new();
    let many = 8_000;
    let mut ask = |by: u32, what: u32| {
        let name = super::harness::name(&what.to_string());
        harness
            .service
            .enq(&super::harness::enq(&name, task(by), Exclusive, serialization::Ret::None), &mut harness.outbox)
    };
    for by in 0..many {
        ask(by, by);
    }
    for by in 0..many {
        ask(by, (by + 1) % many);
    }
    assert_eq!(harness.service.deadlocks()[0].circle.len(), many as usize);
}

/// All waiters for a resource share two lists, one of all tasks and one of exclusive requests.
#[test]
fn a_task_that_blocks_many_is_listed_once() {
    let mut harness = Harness::new();
    let accesses = [Exclusive, Exclusive, Shared].into_iter().cycle();
    for (task, access) in (1..=60).zip(accesses) {
        harness.wants(task, access, "A");
    }
    let waits = harness.service.waits();
    let lists: std::collections::BTreeSet<_> = waits.iter().map(|wait| wait.blockers.shared().0.as_ptr()).collect();
    assert_eq!((waits.len(), lists.len()), (59, 2));
    assert_eq!((waits[58].blockers.len(), waits[57].blockers.len()), (40, 58));
}
