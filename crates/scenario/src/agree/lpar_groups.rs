//! Groups of partitions: they have members, and a cap that these could exceed.

use super::unused::unused;
use crate::language::{
    DEDICATED, GROUP_CAP, LOGICAL_PROCESSORS, LPAR_GROUPS, MODE, NAME, OF_GROUP, PARTITIONS, PROCESSORS,
    SHARED_PROCESSORS,
};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::Problem;

/// Warns of groups without members, and of caps that change nothing.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let partitions = root.tables(&PARTITIONS);
    let used: BTreeSet<&str> = partitions.iter().filter_map(|partition| partition.text(&OF_GROUP)).collect();
    let groups = root.tables(&LPAR_GROUPS);
    unused(groups, &used, "no partition is in it", warnings);
    let Some(processors) = root.table(&SHARED_PROCESSORS).and_then(|cec| cec.count(&PROCESSORS)) else { return };
    let count = |partition: &Table| partition.count(&LOGICAL_PROCESSORS).unwrap_or(0);
    let own = partitions.iter().filter(|partition| partition.text(&MODE) == Some(DEDICATED));
    let shared = processors.saturating_sub(own.map(count).sum());
    for group in groups {
        let (Some(name), Some(cap)) = (group.text(&NAME), group.number(&GROUP_CAP)) else { continue };
        let members = partitions.iter().filter(|partition| partition.text(&OF_GROUP) == Some(name));
        let most = members.map(count).sum::<u32>().min(shared);
        if most > 0 && cap >= f64::from(most) {
            let problem = Problem::new(format!("a cap of {cap} processors changes nothing"))
                .key(group.path(&GROUP_CAP))
                .because(format!("the partitions of the group have no more than {most} at a time"))
                .allowed([format!("less than {most}"), "no group".to_string()]);
            warnings.add(group.at(&GROUP_CAP), problem);
        }
    }
}
