//! Agreement between the lines of a listing: a device has one role, and an alias and its base name each other.

use super::line::Standing;
use super::listing::Listed;
use std::collections::BTreeMap;
use units::Problem;

/// Every device once, in the order of the listing; contradictions become problems.
pub(crate) fn agree(told: Vec<Listed>, problems: &mut Vec<Problem>) -> Vec<Listed> {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut devices: Vec<Listed> = Vec::new();
    for listed in told {
        match first.get(&listed.device).map(|at| &devices[*at]) {
            None => {
                first.insert(listed.device.clone(), devices.len());
                devices.push(listed);
            }
            Some(earlier) if earlier.standing == listed.standing => {}
            Some(earlier) => problems.push(twice(&listed, earlier)),
        }
    }
    for listed in &devices {
        let lookup = |device: &String| first.get(device).map(|at| &devices[*at]);
        match &listed.standing {
            Standing::Base { aliases } => {
                problems.extend(aliases.iter().filter_map(|alias| not_its_alias(listed, lookup(alias)?)));
            }
            Standing::BoundAlias { base } => problems.extend(lookup(base).and_then(|base| not_its_base(listed, base))),
            Standing::PoolBase { .. } | Standing::PoolAlias { .. } => {}
        }
    }
    devices
}

fn twice(listed: &Listed, earlier: &Listed) -> Problem {
    problem(listed, format!("is {}", is(&listed.standing)), earlier)
}

/// A base names an alias that says that it is something else.
fn not_its_alias(base: &Listed, alias: &Listed) -> Option<Problem> {
    match &alias.standing {
        Standing::BoundAlias { base: named } if *named == base.device => None,
        Standing::PoolBase { .. }
        | Standing::PoolAlias { .. }
        | Standing::Base { .. }
        | Standing::BoundAlias { .. } => Some(problem(base, format!("has {} as an alias", alias.device), alias)),
    }
}

/// An alias names a base that is none, or that names other aliases.
fn not_its_base(alias: &Listed, base: &Listed) -> Option<Problem> {
    match &base.standing {
        Standing::Base { aliases } if aliases.is_empty() || aliases.contains(&alias.device) => None,
        Standing::PoolBase { .. }
        | Standing::PoolAlias { .. }
        | Standing::Base { .. }
        | Standing::BoundAlias { .. } => Some(problem(alias, format!("is an alias of {}", base.device), base)),
    }
}

fn problem(listed: &Listed, what: String, other: &Listed) -> Problem {
    let why = format!("line {} says that {} is {}", other.line, other.device, is(&other.standing));
    Problem::new(what).at(listed.line, 1).key(listed.device.clone()).because(why)
}

fn is(standing: &Standing) -> String {
    match standing {
        Standing::PoolBase { pool } => format!("a base in pool {pool}"),
        Standing::PoolAlias { pool } => format!("an alias in pool {pool}"),
        Standing::Base { aliases } if aliases.is_empty() => "a base without aliases".to_string(),
        Standing::Base { aliases } => format!("the base of {}", aliases.join(" ")),
        Standing::BoundAlias { base } => format!("an alias of {base}"),
    }
}
