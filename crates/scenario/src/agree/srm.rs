//! SET SRM: it addresses a control program, it sets something, and the setting can be kept.

use super::{Names, control_programs};
use crate::language::{
    CAPPED, CHANGED_SRM, CHANGES, CONTROL_PROGRAM, HORIZONTAL, Key, NAME, NEW_CPUPAD, NEW_EXCESSUSE, NEW_METHOD,
    NEW_POLARIZATION, NEW_SLICE, NEW_UNPARKING, PARTITION, PARTITIONS, SRM_OF, VERTICAL, YES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// Its settings.
const SETTINGS: [&Key; 6] = [&NEW_POLARIZATION, &NEW_METHOD, &NEW_CPUPAD, &NEW_EXCESSUSE, &NEW_UNPARKING, &NEW_SLICE];

/// Checks every SET SRM.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    for srm in root.tables(&CHANGES).iter().filter_map(|change| change.table(&CHANGED_SRM)) {
        check_settings(srm, problems);
        check_partition(root, srm, names, problems);
    }
}

fn check_settings(srm: &Table, problems: &mut Problems<'_>) {
    if srm.misspelt.is_empty() && SETTINGS.iter().all(|key| srm.entry(key).is_none()) {
        let problem = Problem::new("nothing is set")
            .key(srm.title())
            .because("SET SRM sets something")
            .allowed(SETTINGS.map(|key| format!("{} = ...", key.name)));
        problems.add(srm.at, problem);
    }
}

fn check_partition(root: &Table, srm: &Table, names: &Names, problems: &mut Problems<'_>) {
    let Some(name) = srm.text(&SRM_OF) else { return };
    let partitions = root.tables(&PARTITIONS);
    if control_programs::has_one(root, name, names) == Some(false) {
        let with_one = partitions.iter().filter(|partition| partition.entry(&CONTROL_PROGRAM).is_some());
        let mut allowed: Vec<String> = with_one.filter_map(|one| one.text(&NAME)).take(8).map(str::to_string).collect();
        allowed.push(format!("{} = {{}} in partition {name}", CONTROL_PROGRAM.name));
        let problem = Problem::new(format!("SET SRM in partition `{name}`, which has no control program"))
            .key(srm.path(&SRM_OF))
            .because("it is a command to a control program")
            .allowed(allowed);
        problems.add(srm.at(&SRM_OF), problem);
        return;
    }
    let Some(index) = names.index(&PARTITION, name) else { return };
    if srm.text(&NEW_POLARIZATION) == Some(VERTICAL) && partitions[index].text(&CAPPED) == Some(YES) {
        let problem = Problem::new("a capped partition with vertical polarization")
            .key(srm.path(&NEW_POLARIZATION))
            .because(
                "its low processors are entitled to nothing, and with that as a cap what they have begun never ends",
            )
            .allowed([format!("\"{HORIZONTAL}\""), format!("{} = \"no\" in partition {name}", CAPPED.name)]);
        problems.add(srm.at(&NEW_POLARIZATION), problem);
    }
}
