//! How virtual machines spin: what their operating system gives, or the usual, where there is a spin lock to spin for.

use super::unused;
use super::worked_out::{Meant, rule, same, settle};
use crate::guest_types;
use crate::language::{
    CONTROL_PROGRAM, COSTS, GUEST_TYPE, GUEST_TYPES, HALT, HOST, KICK, Key, LOCK_OF, LOCK_ORDER, LOOP_GAP, LOOP_MOST,
    LOOP_WINDOW, MACHINE, NAME, NEVER, PARTITIONS, PAUSE_LOOP, PAUSE_LOOPS, QUEUED, SENSE_RUNNING, SHARED_PROCESSORS,
    SPIN_LOCKS, SPIN_RETRY, SPIN_TRY, TICKET, UNORDERED, VIRTUAL_MACHINES, YIELDS,
};
use crate::problems::Problems;
use crate::resolved::{Quantity, Table, Value};
use crate::text::Text;
use std::collections::BTreeSet;
use units::Problem;

/// The keys of how a machine spins, and the usual values.
const SPINNING: [(&Key, &str); 3] = [(&SPIN_RETRY, "1000"), (&SPIN_TRY, "8 ns"), (&YIELDS, NEVER)];

/// Gives every kind with spin locks its missing values, in place of those of another operating system.
pub fn work_out(root: &mut Table, text: &Text<'_>) {
    let senses = senses(root);
    let locked: BTreeSet<String> =
        root.tables(&SPIN_LOCKS).iter().filter_map(|lock| lock.text(&LOCK_OF)).map(str::to_string).collect();
    for kind in root.tables_mut(&VIRTUAL_MACHINES) {
        let system = kind.text(&GUEST_TYPE).and_then(guest_types::number);
        let spins = kind.entry(&GUEST_TYPE).is_some() || kind.text(&NAME).is_some_and(|name| locked.contains(name));
        for (key, usual) in SPINNING {
            let meant = if spins { Some(meant((key, usual), system, senses)) } else { None };
            settle(kind, key, meant, (&|reason: &str, value: &Value| says(reason, (key, usual), value), text));
        }
    }
    work_out_kicks(root, text);
}

/// The cost of a kick, where virtual machines halt.
fn work_out_kicks(root: &mut Table, text: &Text<'_>) {
    let halting: BTreeSet<String> =
        root.tables(&VIRTUAL_MACHINES).iter().filter(|kind| halts(kind)).filter_map(home).collect();
    let usual = || Value::Span(Quantity { value: KICKS.parse().expect("the usual is a span"), text: KICKS.into() });
    for partition in root.tables_mut(&PARTITIONS) {
        let kicks = partition.text(&NAME).is_some_and(|name| halting.contains(name));
        let costs = partition.table_mut(&CONTROL_PROGRAM).and_then(|program| program.table_mut(&COSTS));
        let Some(costs) = costs else { continue };
        let meant = kicks.then(|| (usual(), rule(&KICK)));
        let says = |reason: &str, value: &Value| reason == rule(&KICK) && same(&usual(), value);
        settle(costs, &KICK, meant, (&says, text));
    }
}

/// The usual cost of a kick.
const KICKS: &str = "2 us";

fn halts(kind: &Table) -> bool {
    kind.text(&YIELDS) == Some(HALT)
}

fn home(kind: &Table) -> Option<String> {
    kind.text(&HOST).map(str::to_string)
}

/// Checks that halted guests are kicked: the release of a lock without turns does not know a next one.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    for lock in root.tables(&SPIN_LOCKS) {
        let halting = root.tables(&VIRTUAL_MACHINES).iter().filter(|kind| halts(kind));
        let owner = halting.into_iter().find(|kind| kind.text(&NAME) == lock.text(&LOCK_OF));
        let Some(owner) = owner.filter(|_| lock.text(&LOCK_ORDER) == Some(UNORDERED)) else { continue };
        let name = owner.text(&NAME).unwrap_or_default();
        let problem = Problem::new(format!("a lock without turns in virtual machines `{name}`, which halt"))
            .key(lock.path(&LOCK_ORDER))
            .because("the release of a lock kicks the next in turn, and an unordered one has none")
            .allowed([format!("order = \"{TICKET}\""), format!("order = \"{QUEUED}\""), "other `yields`".to_string()]);
        problems.add(lock.at(&LOCK_ORDER), problem);
    }
    root.tables(&VIRTUAL_MACHINES).iter().filter(|kind| loops(kind)).for_each(|kind| check_loops(root, kind, problems));
    for table in root.tables(&PARTITIONS).iter().filter_map(pause_loop) {
        let (Some(window), Some(most)) = (table.span(&LOOP_WINDOW), table.span(&LOOP_MOST)) else { continue };
        if window > most {
            let problem = Problem::new("a first window that is longer than the longest one")
                .key(table.path(&LOOP_WINDOW))
                .because(format!("`most` is {}", table.span_text(&LOOP_MOST).unwrap_or_default()))
                .allowed(["a shorter window, or a longer `most`"]);
            problems.add(table.at(&LOOP_WINDOW), problem);
        }
    }
}

fn loops(kind: &Table) -> bool {
    kind.text(&YIELDS) == Some(PAUSE_LOOP)
}

/// How the control program of a partition intercepts loops, if it does.
fn pause_loop(partition: &Table) -> Option<&Table> {
    partition.table(&CONTROL_PROGRAM)?.table(&PAUSE_LOOPS)
}

/// A guest that leaves its loop to the processor needs a control program that intercepts it.
fn check_loops(root: &Table, kind: &Table, problems: &mut Problems<'_>) {
    let own = |partition: &&Table| partition.text(&NAME) == kind.text(&HOST);
    let Some(partition) = root.tables(&PARTITIONS).iter().find(own) else { return };
    let Some(program) = partition.table(&CONTROL_PROGRAM) else { return };
    if program.entry(&PAUSE_LOOPS).is_some() || program.misspelt.contains(&PAUSE_LOOPS.name) {
        return;
    }
    let name = partition.text(&NAME).unwrap_or_default();
    let problem = Problem::new(format!("loops that the control program of `{name}` does not intercept"))
        .key(kind.path(&YIELDS))
        .because("it has no `pause_loop`, so the guests would never yield")
        .allowed(["pause_loop = { } in its control_program", "yields = \"never\""]);
    problems.add(kind.at(&YIELDS), problem);
}

/// Warns of a loop that is too slow to be recognized.
fn doubt_loops(root: &Table, kind: &Table, warnings: &mut Problems<'_>) {
    let own = |partition: &&Table| partition.text(&NAME) == kind.text(&HOST);
    let table = root.tables(&PARTITIONS).iter().find(own).and_then(pause_loop);
    let Some(table) = table.filter(|_| loops(kind)) else { return };
    let (Some(gap), Some(one_try)) = (table.span(&LOOP_GAP), kind.span(&SPIN_TRY)) else { return };
    if one_try > gap {
        let problem = Problem::new("a loop that is too slow to be intercepted")
            .key(kind.path(&SPIN_TRY))
            .because(format!("`pause_loop.gap` is {}", table.span_text(&LOOP_GAP).unwrap_or_default()));
        warnings.add(kind.at(&SPIN_TRY), problem.allowed(["a longer gap, or shorter attempts"]));
    }
}

/// Whether the machine of a scenario has SIGP Sense Running Status.
fn senses(root: &Table) -> bool {
    guest_types::senses(root.table(&SHARED_PROCESSORS).and_then(|cec| cec.text(&MACHINE)))
}

fn meant((key, usual): (&'static Key, &str), system: Option<usize>, senses: bool) -> Meant {
    let given = system.and_then(|system| Some((guest_types::gives(system, key, senses)?, guest_types::why(system))));
    given.unwrap_or_else(|| (self::usual(key, usual), rule(key)))
}

fn usual(key: &Key, text: &str) -> Value {
    if std::ptr::eq(key, &SPIN_RETRY) {
        Value::Count(text.parse().expect("the usual is a count"))
    } else if std::ptr::eq(key, &SPIN_TRY) {
        Value::Span(Quantity { value: text.parse().expect("the usual is a span"), text: text.into() })
    } else {
        Value::Text(text.into())
    }
}

/// Whether what is named as the reason of a value gives that value.
fn says(reason: &str, (key, usual): (&'static Key, &str), value: &Value) -> bool {
    let given = (0..GUEST_TYPES.len()).filter(|system| guest_types::why(*system) == reason);
    let given = given.flat_map(|system| [true, false].map(|senses| guest_types::gives(system, key, senses))).flatten();
    let usual = (reason == rule(key)).then(|| self::usual(key, usual));
    given.chain(usual).any(|said| same(&said, value))
}

/// Warns of unused spin settings, and of machines that are to sense without SIGP Sense Running Status.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let locks = root.tables(&SPIN_LOCKS);
    let taken: BTreeSet<&str> = super::spin_locks::taken(root).collect();
    unused::unused(locks, &taken, "no program takes it", warnings);
    let locked: BTreeSet<&str> = locks.iter().filter_map(|lock| lock.text(&LOCK_OF)).collect();
    for kind in root.tables(&VIRTUAL_MACHINES) {
        let without = kind.text(&NAME).is_some_and(|name| !locked.contains(name));
        let told = [&GUEST_TYPE, &SPIN_RETRY, &SPIN_TRY, &YIELDS].into_iter().find(|key| kind.entry(key).is_some());
        if let Some(key) = told.filter(|_| without) {
            let problem = Problem::new(format!("`{}` of virtual machines without spin locks", key.name))
                .key(kind.path(key))
                .because("it says how they spin, and there is nothing to spin for");
            warnings.add(kind.at(key), problem.allowed(["a [[spin_lock]] of theirs"]));
        }
        doubt_loops(root, kind, warnings);
        if kind.text(&YIELDS) == Some(SENSE_RUNNING) && !senses(root) {
            let problem = Problem::new("sensing on a machine without SIGP Sense Running Status")
                .key(kind.path(&YIELDS))
                .because("SIGP Sense Running Status came with the z9");
            warnings.add(kind.at(&YIELDS), problem.allowed(["x9c", "another `cec.machine`"]));
        }
    }
}
