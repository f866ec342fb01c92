//! Control programs: the keys that they allow, and the guests and volumes of their partitions.

use super::Names;
use crate::language::{
    BARRIERS, CONTROL_PROGRAM, CONTROLLER, CPENABLE, DEDICATED, ENABLED, FIFO, GUESTS, HANDOVER, HOST, Key, LOCK,
    LOCK_HOLD, LOGICAL_PROCESSORS, MEASURED_BY, MODE, MOST_MEASURED, NAME, OF_PARTITION, PARTITION, PARTITIONS,
    PER_WAITER, POLARIZATION, RELOAD, RUNS_IN, SLIH, SRM_POLARIZATION, SSCH, UNPARKED_AT_START, VIRTUAL_MACHINES,
    VOLUMES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// The keys of an operating system that runs its guests itself.
const OF_SYSTEMS: [&Key; 6] = [&SLIH, &SSCH, &RELOAD, &ENABLED, &CPENABLE, &MEASURED_BY];

/// Takes back the defaults of what a partition with a control program does not have.
pub fn settle(root: &mut Table) {
    for partition in root.tables_mut(&PARTITIONS) {
        if partition.entry(&CONTROL_PROGRAM).is_some() {
            let foreign = |key: &Key| OF_SYSTEMS.iter().chain(&[&POLARIZATION]).any(|other| std::ptr::eq(*other, key));
            partition.entries.retain(|entry| !(entry.is_default() && foreign(entry.key)));
        }
    }
}

/// How a partition uses its logical processors, as far as it is known.
pub fn polarization(partition: &Table) -> Option<&str> {
    match partition.table(&CONTROL_PROGRAM) {
        Some(program) => program.text(&SRM_POLARIZATION),
        None => partition.text(&POLARIZATION),
    }
}

/// Whether a partition of this name is known to have a control program, or to have none.
pub fn has_one(root: &Table, partition: &str, names: &Names) -> Option<bool> {
    let partition = &root.tables(&PARTITIONS)[names.index(&PARTITION, partition)?];
    let known = !partition.misspelt.contains(&CONTROL_PROGRAM.name);
    known.then(|| partition.entry(&CONTROL_PROGRAM).is_some())
}

/// Checks every partition for keys of an operating system, and for guests and volumes in those with a control program.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    for partition in root.tables(&PARTITIONS).iter().filter(|partition| partition.entry(&CONTROL_PROGRAM).is_some()) {
        check_keys(partition, problems);
        if let Some(program) = partition.table(&CONTROL_PROGRAM) {
            check_barriers(program, problems);
            check_start(partition, program, problems);
        }
    }
    for volume in root.tables(&VOLUMES) {
        let Some(partition) = volume.text(&OF_PARTITION) else { continue };
        if has_one(root, partition, names) == Some(true) {
            let problem = Problem::new(format!("a volume of partition `{partition}`, which has a control program"))
                .key(volume.path(&OF_PARTITION))
                .because("its I/O interrupts are not simulated: a guest of a virtual machine goes on when its I/O ends")
                .allowed(["no `partition` in the volume"]);
            problems.add(volume.at(&OF_PARTITION), problem);
        }
    }
    for guest in root.tables(&GUESTS) {
        let Some(partition) = guest.text(&RUNS_IN) else { continue };
        if has_one(root, partition, names) == Some(true) {
            let here = root.tables(&VIRTUAL_MACHINES).iter().filter(|kind| kind.text(&HOST) == Some(partition));
            let mut allowed: Vec<String> = here
                .filter_map(|kind| kind.text(&NAME))
                .take(8)
                .map(|name| format!("virtual_machine = \"{name}\""))
                .collect();
            if allowed.is_empty() {
                allowed
                    .push(format!("a [[virtual_machine]] with partition = \"{partition}\", and its name in the guest"));
            }
            let problem = Problem::new(format!("a guest in partition `{partition}`, which has a control program"))
                .key(guest.path(&RUNS_IN))
                .because("its logical processors run virtual machines and nothing else")
                .allowed(allowed);
            problems.add(guest.at(&RUNS_IN), problem);
        }
    }
}

/// No more processors are unparked at the start than there are.
fn check_start(partition: &Table, program: &Table, problems: &mut Problems<'_>) {
    let Some(controller) = program.table(&CONTROLLER) else { return };
    let (Some(start), Some(all)) = (controller.count(&UNPARKED_AT_START), partition.count(&LOGICAL_PROCESSORS)) else {
        return;
    };
    if start > all {
        let problem = Problem::new(format!("{start} of {all} logical processors unparked at the start"))
            .key(controller.path(&UNPARKED_AT_START))
            .because("only logical processors of the partition can be unparked")
            .allowed([format!("1 to {all}")]);
        problems.add(controller.at(&UNPARKED_AT_START), problem);
    }
}

/// Warns of settings of the scheduler lock that were not measured, or change nothing.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    for partition in root.tables(&PARTITIONS) {
        doubt_handover(partition, warnings);
    }
    for partition in root.tables(&PARTITIONS) {
        let lock = partition.table(&CONTROL_PROGRAM).and_then(|program| program.table(&LOCK));
        let (Some(lock), Some(processors)) = (lock, partition.count(&LOGICAL_PROCESSORS)) else { continue };
        let is_ours = lock.entry(&PER_WAITER).is_some_and(|entry| entry.is_default());
        let locks = lock.span(&LOCK_HOLD).is_some_and(|hold| !hold.is_zero());
        if processors > MOST_MEASURED && is_ours && locks {
            let problem = Problem::new(format!("{processors} processors under one scheduler lock"))
                .key(partition.path(&LOGICAL_PROCESSORS))
                .because(format!(
                    "`{}` was calibrated with 8 and 16 processors and compared with measurements up to {MOST_MEASURED}",
                    PER_WAITER.name
                ))
                .allowed([format!("1 to {MOST_MEASURED}"), format!("a `lock.{}` of your own", PER_WAITER.name)]);
            warnings.add(partition.at(&LOGICAL_PROCESSORS), problem);
        }
    }
}

/// Every processor of a dedicated partition stays dispatched, so the first that waits is the first dispatched one.
fn doubt_handover(partition: &Table, warnings: &mut Problems<'_>) {
    let lock = partition.table(&CONTROL_PROGRAM).and_then(|program| program.table(&LOCK));
    let (Some(lock), Some(DEDICATED)) = (lock, partition.text(&MODE)) else { return };
    let is_written = lock.entry(&HANDOVER).is_some_and(|entry| !entry.is_default());
    if let Some(handover) = lock.text(&HANDOVER).filter(|handover| is_written && *handover != FIFO) {
        let problem =
            Problem::new(format!("`{}` = \"{handover}\" on dedicated processors changes nothing", HANDOVER.name))
                .key(lock.path(&HANDOVER))
                .because("they are always dispatched, so the first that waits is the first dispatched one")
                .allowed(["mode = \"MP\"".to_string(), format!("no `{}`", HANDOVER.name)]);
        warnings.add(lock.at(&HANDOVER), problem);
    }
}

/// A farther barrier is no lower.
fn check_barriers(program: &Table, problems: &mut Problems<'_>) {
    let pairs = program.counts(&BARRIERS).unwrap_or_default().windows(2);
    if let Some([nearer, farther]) = pairs.into_iter().find(|pair| pair[1] < pair[0]) {
        let problem = Problem::new(format!("a barrier of {farther} where one nearer is {nearer}"))
            .key(program.path(&BARRIERS))
            .because("a farther vector has no lower barrier")
            .allowed(["numbers that do not fall: [1, 2, 4]"]);
        problems.add(program.at(&BARRIERS), problem);
    }
}

fn check_keys(partition: &Table, problems: &mut Problems<'_>) {
    for key in OF_SYSTEMS {
        let Some(entry) = partition.entry(key) else { continue };
        let problem = Problem::new(format!("`{}` beside `{}`", key.name, CONTROL_PROGRAM.name))
            .key(partition.path(key))
            .because(format!("it says {}, and a control program handles no I/O here", key.doc))
            .allowed([format!("no `{}`", key.name), format!("no `{}`", CONTROL_PROGRAM.name)]);
        problems.add(entry.at, problem);
    }
    if let Some(entry) = partition.entry(&POLARIZATION) {
        let problem = Problem::new(format!("`{}` beside `{}`", POLARIZATION.name, CONTROL_PROGRAM.name))
            .key(partition.path(&POLARIZATION))
            .because("the polarization of a partition is what its control program sets (SET SRM POLARIZATION)")
            .allowed([format!("{}.{} = ...", CONTROL_PROGRAM.name, SRM_POLARIZATION.name)]);
        problems.add(entry.at, problem);
    }
}
