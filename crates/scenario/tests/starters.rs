//! Is every shipped scenario right, without doubts, and what it says it is?

use crate::sample;
use machine::plan::{Aliasing, Arrival, CecPlan, Change, Dispatching, Processors};
use scenario::{starter, starters};
use std::path::Path;
use units::{Percent, Problem, Span};

#[test]
fn every_starter_reads_without_a_doubt_and_comes_back() {
    for (kind, what) in starters() {
        let scenario = sample::read(starter(kind).unwrap());
        assert!(scenario.warnings().is_empty(), "{kind}: {}", units::listing(scenario.warnings()));
        assert!(what.contains(':') && what.ends_with('.'), "{kind}: {what}");
        let again = sample::read(scenario.resolved_toml());
        assert_eq!(again.plan(), scenario.plan(), "{kind}");
    }
}

#[test]
fn the_pool_has_eight_volumes_and_eight_aliases() {
    let scenario = sample::read(starter("pool").unwrap());
    let plan = scenario.plan();
    assert_eq!((plan.volumes.len(), plan.alias_pools[0].aliases.len()), (8, 8));
    assert!(plan.volumes.iter().all(|volume| volume.aliasing == Aliasing::HyperPav { pool: 0 }));
    assert_eq!(plan.volumes[7].device.0, 0x5231);
}

#[test]
fn two_pools_share_one_path_group() {
    let scenario = sample::read(starter("two-pools").unwrap());
    let plan = scenario.plan();
    assert_eq!((plan.alias_pools.len(), plan.control_units.len()), (2, 1));
    assert!(plan.volumes.iter().all(|volume| volume.control_unit == Some(0)));
}

/// Every removed part comes back, so that the last interval is like the first.
#[test]
fn what_changes_in_the_dynamics_is_undone() {
    let scenario = sample::read(starter("dynamics").unwrap());
    let plan = scenario.plan();
    for change in plan.changes.iter().map(|change| change.change) {
        let undone = match change {
            Change::PoolAliases { pool, .. } => {
                Change::PoolAliases { pool, online: plan.alias_pools[pool].aliases.len() as u32 }
            }
            Change::Paths { control_unit, .. } => {
                Change::Paths { control_unit, online: plan.control_units[control_unit].paths }
            }
            Change::Reserve { volume } | Change::Release { volume } => Change::Release { volume },
            Change::BoundAliases { .. } => unreachable!("no volume of it has aliases of its own"),
            Change::Share { .. }
            | Change::Slice { .. }
            | Change::Online { .. }
            | Change::Add { .. }
            | Change::Delete { .. }
            | Change::Srm { .. }
            | Change::Exit(_) => {
                unreachable!("it has no partitions")
            }
        };
        assert!(plan.changes.iter().any(|other| other.change == undone), "{change:?}");
    }
}

#[test]
fn two_domains_share_two_processors_half_and_half() {
    let scenario = sample::read(starter("two-domains").unwrap());
    let plan = scenario.plan();
    let cec = plan.cec.as_ref().unwrap();
    assert_eq!(*cec, CecPlan::slices(2, Span::from_ms(30), Dispatching::Together, Span::ZERO));
    assert_eq!(plan.partitions.len(), 2);
    let half = Percent::new(50.0);
    let shared = Processors::Shared { target: half, maximum: half };
    assert!(plan.partitions.iter().all(|partition| partition.processors == shared && partition.logical == 2));
}

#[test]
fn the_queues_have_poisson_arrivals() {
    for (kind, servers) in [("mm1", 1), ("mmc", 4)] {
        let scenario = sample::read(starter(kind).unwrap());
        let volume = &scenario.plan().volumes[0];
        let aliases = match &volume.aliasing {
            Aliasing::None => 0,
            Aliasing::Pav { aliases, .. } => aliases.len(),
            Aliasing::HyperPav { .. } => unreachable!("a queue has no pool"),
        };
        assert_eq!(1 + aliases, servers);
        assert!(matches!(scenario.plan().guests[0].arrival, Arrival::Open { .. }));
    }
}

#[test]
fn an_unknown_starter_is_refused_with_the_nearest() {
    let problems = starter("mm2").unwrap_err();
    assert_eq!(problems[0].what, "no starter is called `mm2`");
    assert_eq!(problems[0].nearest.as_deref(), Some("mm1"));
    assert_eq!(starter("pol").unwrap_err()[0].nearest.as_deref(), Some("pool"));
    assert_eq!(starter("zebra").unwrap_err()[0].nearest, None);
}

#[test]
fn every_shipped_scenario_reads_without_a_doubt() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("scenarios are shipped") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let scenario = sample::read(&std::fs::read_to_string(&path).expect("it is text"));
                // A study may measure for an hour, which was not the recording interval of its reports.
                let study = path.parent().is_some_and(|folder| folder.ends_with("mdf"));
                let allowed = |doubt: &&Problem| study && doubt.key == "measure.interval";
                let doubts: Vec<Problem> =
                    scenario.warnings().iter().filter(|doubt| !allowed(doubt)).cloned().collect();
                assert!(doubts.is_empty(), "{path:?}: {}", units::listing(&doubts));
                seen += 1;
            }
        }
    }
    assert!(seen >= starters().len());
}
