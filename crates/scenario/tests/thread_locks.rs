//! Locks of threads: planned as they are written, and refused where they clash.

use crate::sample::{problems, read};
use machine::plan::{DispatcherPlan, Step, ThreadLockPlan, Turns, Waiting, YieldRule};
use units::Span;

const TEXT: &str = r#"
name = "locks"
assume = "made up"
[cec]
processors = 2
dispatcher = "cfs"
sched_yield = "deadline"
switch = "1 us"
[[cgroup]]
name = "G"
[[thread_lock]]
name = "A"
wait = "spin"
order = "ticket"
[[thread_lock]]
name = "B"
wait = "yield"
tries = 7
call = "2 us"
lift = -20
[[thread_lock]]
name = "C"
wait = "sleep"
attempt = "1 us"
wake = "3 us"
[[guest]]
name = "T"
cgroup = "G"
count = 4
program = [
  { compute = "1 ms" }, { thread_lock = "A", steps = [ { compute = "1 us" } ] },
  { thread_lock = "B", steps = [ { repeat = 2, steps = [ { compute = "1 us" } ] } ] },
  { thread_lock = "C", steps = [ { compute = "1 us" } ] },
]
[measure]
warm_up = "1 s"
interval = "1 s"
"#;

#[test]
fn locks_are_planned_as_they_are_written() {
    let scenario = read(TEXT);
    assert!(scenario.warnings().is_empty(), "{}", units::listing(scenario.warnings()));
    let plan = scenario.plan();
    let ns = |ns: f64| Span::from_seconds(ns * 1e-9);
    let lock =
        |name: &str, order, waiting, attempt, lift| ThreadLockPlan { name: name.into(), order, waiting, attempt, lift };
    let expected = [
        lock("A", Turns::Ticket, Waiting::Spin, ns(10.0), None),
        lock("B", Turns::Unordered, Waiting::Yield { tries: 7, cost: Span::from_us(2) }, ns(10.0), Some(-20)),
        lock("C", Turns::Unordered, Waiting::Sleep { cost: ns(300.0), wake: Span::from_us(3) }, Span::from_us(1), None),
    ];
    assert_eq!(plan.thread_locks, expected);
    assert!(matches!(plan.guests[0].program[1], Step::ThreadLock { lock: 0, .. }));
    let cec = plan.cec.as_ref().expect("it has one");
    let DispatcherPlan::Cfs(kernel) = cec.dispatcher else { unreachable!("threads compete") };
    assert_eq!((kernel.yields, cec.switch), (YieldRule::Deadline, Span::from_us(1)));
}

/// The text with something in place of something else is refused at this key.
fn refused(before: &str, after: &str, key: &str, what: &str) {
    assert!(TEXT.contains(before), "{before}");
    let found = problems(&TEXT.replacen(before, after, 1), &[]);
    let named = |problem: &&units::Problem| problem.key.contains(key) && problem.what.contains(what);
    assert!(found.iter().any(|problem| named(&problem)), "{}", units::listing(&found));
}

#[test]
fn what_clashes_is_refused() {
    refused("order = \"ticket\"", "tries = 3", "thread_lock A: tries", "`tries` with wait = \"spin\"");
    refused("tries = 7", "wake = \"1 us\"", "thread_lock B: wake", "`wake` with wait = \"yield\"");
    refused("attempt = \"1 us\"", "order = \"ticket\"", "thread_lock C: order", "tickets of threads that sleep");
    refused("lift = -20", "lift = -1.5", "thread_lock B: lift", "a nice level of -1.5");
    refused("count = 4", "arrivals = { poisson = \"5/s\" }", "thread_lock", "come and go");
    refused("count = 4", "count = 400", "count", "400 threads that take locks");
    refused(
        "{ compute = \"1 us\" } ] },\n  { thread_lock = \"B\"",
        "{ think = \"1 us\" } ] },\n  { thread_lock = \"B\"",
        "",
        "does something else",
    );
    refused("cgroup = \"G\"\n", "", "thread_lock", "without a cgroup");
}

#[test]
fn a_lock_that_no_thread_takes_is_doubted() {
    let text = TEXT.replacen("{ thread_lock = \"C\", steps = [ { compute = \"1 us\" } ] },", "", 1);
    let doubts = read(&text).warnings().to_vec();
    assert!(
        doubts.iter().any(|problem| problem.what.contains("thread_lock C is not used")),
        "{}",
        units::listing(&doubts)
    );
}
