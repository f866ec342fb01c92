//! Locks of threads: a guest that takes one is made of threads that are always there, and has one lock at a time.

use super::steps;
use crate::growth;
use crate::language::{
    CALL, CHOOSE, COMPUTE, COUNT, GUESTS, Key, LIFT, LOCKED_BY_THREAD, MOST_LOCKING, PROGRAM, REPEAT, REPEAT_MEAN,
    RUNS_IN_CGROUP, SLEEPS, SPINS, THREAD_LOCKS, TICKET, TRIES_BEFORE, TURNS, WAITS_BY, WAKE_CALL, YIELDS_AFTER,
};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::Problem;

/// The steps under a lock.
const INSIDE: [&Key; 4] = [&COMPUTE, &REPEAT, &REPEAT_MEAN, &CHOOSE];

/// Takes back the defaults of keys that another way to wait has.
pub fn settle(root: &mut Table) {
    for lock in root.tables_mut(&THREAD_LOCKS) {
        let Some(way) = lock.text(&WAITS_BY).map(str::to_string) else { continue };
        lock.entries
            .retain(|entry| !(entry.is_default() && foreign(&way).iter().any(|key| std::ptr::eq(*key, entry.key))));
    }
}

const NOT_OF_SPIN: [&Key; 3] = [&TRIES_BEFORE, &CALL, &WAKE_CALL];
const NOT_OF_YIELD: [&Key; 1] = [&WAKE_CALL];
const NOT_OF_SLEEP: [&Key; 1] = [&TRIES_BEFORE];

/// The keys that mean nothing with a way to wait.
fn foreign(way: &str) -> &'static [&'static Key] {
    match way {
        SPINS => &NOT_OF_SPIN,
        YIELDS_AFTER => &NOT_OF_YIELD,
        _ => &NOT_OF_SLEEP,
    }
}

/// Checks every lock of threads, and every step that takes one.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    for lock in root.tables(&THREAD_LOCKS) {
        check_lock(lock, problems);
    }
    let mut locking = 0;
    for guest in root.tables(&GUESTS) {
        let takes = steps::all(guest).into_iter().find(|step| step.entry(&LOCKED_BY_THREAD).is_some());
        let Some(first) = takes else { continue };
        check_guest(guest, first, problems);
        guest.tables(&PROGRAM).iter().for_each(|step| check_step(step, false, problems));
        let before = locking;
        locking += u64::from(growth::count(guest, &COUNT).unwrap_or(0));
        if locking > u64::from(MOST_LOCKING) && before <= u64::from(MOST_LOCKING) {
            let problem = Problem::new(format!("{locking} threads that take locks"))
                .key(guest.path(&COUNT))
                .because("each release is seen by every thread that waits, at one instant")
                .allowed([format!("up to {MOST_LOCKING} in all")]);
            problems.add(guest.at(&COUNT), problem);
        }
    }
}

fn check_lock(lock: &Table, problems: &mut Problems<'_>) {
    let way = lock.text(&WAITS_BY).unwrap_or_default();
    let mut refuse = |key: &Key, what: String, why: &str, allowed: &str| {
        problems.add(lock.at(key), Problem::new(what).key(lock.path(key)).because(why).allowed([allowed]));
    };
    for key in
        foreign(way).iter().filter(|key| !way.is_empty() && lock.entry(key).is_some_and(|entry| !entry.is_default()))
    {
        let what = format!("`{}` with wait = \"{way}\"", key.name);
        refuse(key, what, &format!("it says {}", key.doc), "another way to wait, or without it");
    }
    if way == SLEEPS && lock.text(&TURNS) == Some(TICKET) {
        let why = "a sleeping thread is woken to try: it does not own a lock that it was not awake to take";
        refuse(&TURNS, "tickets of threads that sleep".into(), why, "order = \"unordered\"");
    }
    if lock.number(&LIFT).is_some_and(|nice| nice.fract() != 0.0) {
        let nice = lock.number(&LIFT).unwrap_or_default();
        refuse(&LIFT, format!("a nice level of {nice}"), "nice levels are whole numbers", "-20 to 19");
    }
}

/// Threads have a scheduler to call, and room in the queues of locks.
fn check_guest(guest: &Table, step: &Table, problems: &mut Problems<'_>) {
    let unread = |key: &Key| guest.misspelt.contains(&key.name);
    let (what, why, allowed) = if guest.entry(&RUNS_IN_CGROUP).is_none() && !unread(&RUNS_IN_CGROUP) {
        ("a lock of threads in a guest without a cgroup", "its members are no threads", "cgroup = \"...\" in the guest")
    } else if guest.entry(&COUNT).is_none() && !unread(&COUNT) {
        ("a lock of threads that come and go", "a thread that holds it is always there", "count = ... in the guest")
    } else {
        return;
    };
    let problem = Problem::new(what).key(step.path(&LOCKED_BY_THREAD)).because(why).allowed([allowed]);
    problems.add(step.at(&LOCKED_BY_THREAD), problem);
}

/// A thread has one such lock at a time, and only computes meanwhile.
fn check_step(step: &Table, locked: bool, problems: &mut Problems<'_>) {
    let fine = INSIDE.iter().any(|key| step.entry(key).is_some());
    if locked && !fine {
        let problem = Problem::new("a step under a lock of threads that does something else")
            .key(step.title())
            .because("a release is an instruction: its holder has not given its processor up")
            .allowed(["compute, repeat, repeat_mean and choose"]);
        return problems.add(step.at, problem);
    }
    let locked = locked || step.entry(&LOCKED_BY_THREAD).is_some();
    steps::inside(step).for_each(|step| check_step(step, locked, problems));
}

/// Names the locks that no thread takes.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let all = root.tables(&GUESTS).iter().flat_map(steps::all);
    let taken: BTreeSet<&str> = all.filter_map(|step| step.text(&LOCKED_BY_THREAD)).collect();
    super::unused::unused(root.tables(&THREAD_LOCKS), &taken, "no thread takes it", warnings);
}
