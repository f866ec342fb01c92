//! Does a pool listing that is written read back to the same pools and devices?

use measures::{DeviceTotals, IntervalTotals, Role, VolumeTotals};
use proptest::prelude::*;
use records::query_pav::{PoolListing, Standing};
use reports::pool_listing;
use units::Span;

/// A system: of each volume its pool and its bound aliases, of each pool its aliases.
fn system() -> impl Strategy<Value = IntervalTotals> {
    let volume = (prop_oneof![Just(None), (0..3_usize).prop_map(Some)], 0..4_usize);
    let pools = proptest::collection::vec(("[A-Za-z0-9._-]{1,12}", 0..5_usize), 3);
    (proptest::collection::vec(volume, 1..9), pools).prop_map(|(volumes, pools)| {
        let mut interval = IntervalTotals::new("any", Span::SECOND);
        let mut next = 0x5300;
        let mut device = |role| {
            next += 1;
            DeviceTotals::unknown(format!("{next:04X}"), "3390-3".into(), String::new(), role, 4)
        };
        for (at, (pool, aliases)) in volumes.iter().enumerate() {
            let base = format!("{:04X}", 0x5200 + at);
            let pool_name = pool.map_or_else(String::new, |pool| pools[pool].0.clone());
            let row = DeviceTotals::unknown(base.clone(), "3390-3".into(), "X".into(), Role::Base, 4);
            interval.devices.push(row);
            if pool.is_none() {
                interval.devices.extend((0..*aliases).map(|_| device(Role::BoundAlias { base: base.clone() })));
            }
            interval.volumes.push(VolumeTotals::unknown("X".into(), base, pool_name));
        }
        for (pool, aliases) in &pools {
            interval.devices.extend((0..*aliases).map(|_| device(Role::PoolAlias { pool: pool.clone() })));
        }
        interval
    })
}

fn expected(interval: &IntervalTotals, device: &DeviceTotals) -> Standing {
    let pool = interval.volumes.iter().find(|volume| volume.device == device.device).map(|volume| volume.pool.clone());
    let of = |role: &Role| *role == Role::BoundAlias { base: device.device.clone() };
    match (&device.role, pool) {
        (Role::Base, Some(pool)) if !pool.is_empty() => Standing::PoolBase { pool },
        (Role::Base, _) => {
            let aliases = interval.devices.iter().filter(|device| of(&device.role)).map(|device| device.device.clone());
            Standing::Base { aliases: aliases.collect() }
        }
        (Role::BoundAlias { base }, _) => Standing::BoundAlias { base: base.clone() },
        (Role::PoolAlias { pool }, _) => Standing::PoolAlias { pool: pool.clone() },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_system_is_read_back_as_it_was(interval in system()) {
        let text = pool_listing(&interval, "any");
        let listing = PoolListing::read(text.as_bytes(), "listing").expect("what we write can be read");
        prop_assert_eq!(listing.devices().len(), interval.devices.len());
        for device in &interval.devices {
            let listed = listing.device(&device.device).map(|listed| listed.standing.clone());
            prop_assert_eq!(listed, Some(expected(&interval, device)));
        }
    }
}
