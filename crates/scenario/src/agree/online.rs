//! Logical processors online: no more than there are, and none of a control program.

use super::Names;
use crate::language::{
    CHANGED_PARTITION, CHANGES, CONTROL_PROGRAM, Key, LOGICAL_PROCESSORS, NEW_ONLINE, ONLINE, PARTITION, PARTITIONS,
    PROMISED,
};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// Checks partitions and their changes.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let partitions = root.tables(&PARTITIONS);
    for partition in partitions {
        within((partition, &ONLINE), partition, problems);
    }
    for change in root.tables(&CHANGES).iter().filter_map(|change| change.table(&CHANGED_PARTITION)) {
        let index = change.text(&PROMISED).and_then(|name| names.index(&PARTITION, name));
        if let Some(partition) = index.map(|index| &partitions[index]) {
            within((change, &NEW_ONLINE), partition, problems);
        }
    }
}

fn within((table, key): (&Table, &Key), partition: &Table, problems: &mut Problems<'_>) {
    let Some(online) = table.count(key) else { return };
    let mut refuse = |what: String, why: String, allowed: String| {
        problems.add(table.at(key), Problem::new(what).key(table.path(key)).because(why).allowed([allowed]));
    };
    if partition.entry(&CONTROL_PROGRAM).is_some() {
        let why = format!("{} has a control program, which parks processors in place of that", partition.title());
        return refuse(format!("`{}` beside `{}`", key.name, CONTROL_PROGRAM.name), why, format!("no `{}`", key.name));
    }
    if let Some(logical) = partition.count(&LOGICAL_PROCESSORS).filter(|logical| online > *logical) {
        let why = format!("{} has {} = {logical}", partition.title(), LOGICAL_PROCESSORS.name);
        refuse(format!("{online} processors online where there are {logical}"), why, format!("1 to {logical}"));
    }
}
