//! A listing of bases, aliases and pools in the style of CP QUERY PAV, written by us and saying so.

use measures::{DeviceTotals, IntervalTotals, Role};
use std::collections::BTreeMap;

const TITLE: &str = "Pool listing in the style of CP QUERY PAV, written by slicewright";
const WORDING: &str = "Note the wording is ours; pools are called as in the scenario, where CP numbers them";

/// The devices of an interval as a listing, one a line; `note` says in its head where they come from and may be empty.
///
/// The pool of a base is in the volumes of the interval, the role of an alias in its devices.
pub fn pool_listing(interval: &IntervalTotals, note: &str) -> String {
    let pools: BTreeMap<&str, &str> =
        interval.volumes.iter().map(|volume| (volume.device.as_str(), volume.pool.as_str())).collect();
    let mut bound: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for device in &interval.devices {
        if let Role::BoundAlias { base } = &device.role {
            bound.entry(base).or_default().push(&device.device);
        }
    }
    let mut lines = vec![TITLE.to_string()];
    lines.extend(Some(note).filter(|note| !note.is_empty()).map(|note| format!("Note {note}")));
    lines.push(WORDING.to_string());
    lines.extend(interval.devices.iter().map(|device| {
        let pool = pools.get(device.device.as_str()).copied().unwrap_or("");
        let aliases = bound.get(device.device.as_str()).map_or(&[][..], Vec::as_slice);
        format!("Device {} is {}", device.device, standing(device, pool, aliases))
    }));
    lines.extend(summary(interval));
    lines.join("\n") + "\n"
}

/// The role of a device, in the words that the reader of such listings knows.
fn standing(device: &DeviceTotals, pool: &str, aliases: &[&str]) -> String {
    match &device.role {
        Role::PoolAlias { pool } if pool.is_empty() => "a HyperPAV alias, membership unknown".to_string(),
        Role::PoolAlias { pool } => format!("a HyperPAV alias in pool {pool}"),
        Role::BoundAlias { base } => format!("a PAV alias of base {base}"),
        Role::Base if !pool.is_empty() => format!("a HyperPAV base in pool {pool}"),
        Role::Base if aliases.is_empty() => "a base without aliases".to_string(),
        Role::Base => format!("a PAV base with aliases {}", aliases.join(" ")),
    }
}

/// A line per pool: how many of each it has.
fn summary(interval: &IntervalTotals) -> Vec<String> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for volume in interval.volumes.iter().filter(|volume| !volume.pool.is_empty()) {
        counts.entry(&volume.pool).or_default()[0] += 1;
    }
    for device in interval.devices.iter().filter(|device| !device.role.pool().is_empty()) {
        counts.entry(device.role.pool()).or_default()[1] += 1;
    }
    let counted = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    counts
        .iter()
        .map(|(pool, [bases, aliases])| {
            format!("Pool {pool}: {}, {}", counted(*bases, "base", "bases"), counted(*aliases, "alias", "aliases"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use measures::VolumeTotals;
    use units::Span;

    fn device(number: &str, role: Role) -> DeviceTotals {
        DeviceTotals::unknown(number.into(), "3390-3".into(), "X".into(), role, 4)
    }

    #[test]
    fn every_kind_of_device_has_its_line() {
        let mut interval = IntervalTotals::new("DEMO", Span::SECOND);
        interval.volumes.push(VolumeTotals::unknown("A".into(), "522A".into(), "LSS-52".into()));
        interval.volumes.push(VolumeTotals::unknown("B".into(), "5300".into(), String::new()));
        interval.devices = vec![
            device("522A", Role::Base),
            device("5249", Role::PoolAlias { pool: "LSS-52".into() }),
            device("524A", Role::PoolAlias { pool: String::new() }),
            device("5300", Role::Base),
            device("5310", Role::BoundAlias { base: "5300".into() }),
            device("5311", Role::BoundAlias { base: "5300".into() }),
            device("5400", Role::Base),
        ];
        let listing = pool_listing(&interval, "simulated");
        let lines: Vec<&str> = listing.lines().collect();
        assert_eq!(lines[1], "Note simulated");
        assert_eq!(
            lines[3..],
            [
                "Device 522A is a HyperPAV base in pool LSS-52",
                "Device 5249 is a HyperPAV alias in pool LSS-52",
                "Device 524A is a HyperPAV alias, membership unknown",
                "Device 5300 is a PAV base with aliases 5310 5311",
                "Device 5310 is a PAV alias of base 5300",
                "Device 5311 is a PAV alias of base 5300",
                "Device 5400 is a base without aliases",
                "Pool LSS-52: 1 base, 1 alias",
            ]
        );
    }
}
