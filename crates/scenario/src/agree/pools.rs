//! Pools and control units: a pool belongs to one control unit, and connect time grows in one form only.

use super::Names;
use crate::language::{
    ALIAS_POOL, ALIAS_POOLS, CONNECT, CONTROL_UNIT, CONTROL_UNITS, FROM_POOL, NAME, ON_CONTROL_UNIT, PER_CONCURRENT,
    SERVICE, SHARING, VOLUMES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// Checks every volume against its pool and its control unit.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let mut first: Vec<Option<&Table>> = vec![None; root.tables(&ALIAS_POOLS).len()];
    for volume in root.tables(&VOLUMES) {
        one_form(root, volume, names, problems);
        let Some(pool) = volume.text(&FROM_POOL) else { continue };
        let Some(index) = names.index(&ALIAS_POOL, pool) else { continue };
        let Some(other) = first[index] else {
            first[index] = Some(volume);
            continue;
        };
        let (here, there) = (volume.text(&ON_CONTROL_UNIT), other.text(&ON_CONTROL_UNIT));
        if here != there {
            let unit = |unit: Option<&str>| unit.map_or("no control unit".to_string(), |name| format!("`{name}`"));
            let problem = Problem::new(format!("a volume of pool `{pool}` on {}", unit(here)))
                .key(volume.path(&ON_CONTROL_UNIT))
                .because(format!("a pool belongs to one control unit, and {} is on {}", other.title(), unit(there)))
                .allowed(there.map(|name| format!("\"{name}\"")));
            let at = volume.entry(&ON_CONTROL_UNIT).map_or(volume.at(&FROM_POOL), |entry| entry.at);
            problems.add(at, problem);
        }
    }
}

/// Growth per concurrent I/O and a shared path describe the same slowing; together they would count it twice.
fn one_form(root: &Table, volume: &Table, names: &Names, problems: &mut Problems<'_>) {
    let Some(connect) = volume.table(&SERVICE).and_then(|service| service.table(&CONNECT)) else { return };
    if connect.span(&PER_CONCURRENT).is_none_or(|growth| growth.is_zero()) {
        return;
    }
    let Some(index) = volume.text(&ON_CONTROL_UNIT).and_then(|name| names.index(&CONTROL_UNIT, name)) else { return };
    let unit = &root.tables(&CONTROL_UNITS)[index];
    if unit.percent(&SHARING).is_some_and(|sharing| sharing.percent() > 0.0) {
        let problem = Problem::new(format!(
            "per_concurrent on control unit `{}`, whose sharing is above 0",
            unit.text(&NAME).unwrap_or_default()
        ))
        .key(connect.path(&PER_CONCURRENT))
        .because("both slow concurrent I/Os; together they would count it twice")
        .allowed(["sharing = \"0 %\" on the control unit", "no per_concurrent"]);
        problems.add(connect.at(&PER_CONCURRENT), problem);
    }
}
