//! More aliases never lengthen a wait, where that is a theorem: one volume, first in first out, aliases that take waiting
//! requests, service that does not grow with concurrency.
//!
//! Take service in the order of arrival, with the same arrivals and the same service times. Each customer of G/G/(c + 1)
//! starts no later than in G/G/c (Kiefer and Wolfowitz: On the Theory of Queues With Many Servers, 1955).  Streams are
//! named, so arrivals and services are the same whatever the aliases, and the statement is exact: no noise to allow for.

use super::any_plan::any_distribution;
use crate::observed::Observed;
use kernel::calendar::TreeCalendar;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    AliasPoolPlan, Aliasing, Arrival, Batch, DeviceNumber, GuestPlan, IoPlan, Plan, Redispatch, ServicePlan, Step,
    VolumePlan,
};
use machine::signal::{Probe, Signal};
use machine::world::World;
use proptest::prelude::*;
use units::{PerSecond, Span, Tod};

/// When each I/O started, in the order of starting, which here is that of arrival.
#[derive(Debug, Default)]
struct Starts(Vec<Tod>);

impl Probe for Starts {
    fn signal(&mut self, now: Tod, signal: Signal) {
        if matches!(signal, Signal::Started(..)) {
            self.0.push(now);
        }
    }
}

fn one_volume(connect: Distribution, gap: Span, per_second: f64) -> Plan {
    let none = Distribution::Constant(Span::ZERO);
    let service = ServicePlan {
        pend: none,
        disconnect: none,
        connect,
        connect_per_concurrent: Span::ZERO,
        connect_per_kib: Span::ZERO,
        ..Default::default()
    };
    let volume = VolumePlan {
        name: "V".into(),
        device: DeviceNumber(0x1000),
        device_type: "3390-3".into(),
        control_unit: None,
        aliasing: Aliasing::None,
        service,
        gap,
        limit: None,
        partition: None,
        ..Default::default()
    };
    let program = vec![Step::Io(IoPlan::of_volume(0))];
    let rate = PerSecond::new(per_second);
    let guests = vec![GuestPlan {
        name: "G".into(),
        arrival: Arrival::Open { rate, batch: Batch::Of(1) },
        runs_in: None,
        program,
        ..Default::default()
    }];
    Plan { volumes: vec![volume], guests, ..Plan::default() }
}

fn starts(mut plan: Plan, aliases: u16, pooled: bool, seed: u64) -> Vec<Tod> {
    let aliases = (0..aliases).map(DeviceNumber).collect();
    let redispatch = Redispatch::SameVolume;
    if pooled {
        plan.alias_pools.push(AliasPoolPlan { name: "P".into(), aliases, redispatch, ..Default::default() });
        plan.volumes[0].aliasing = Aliasing::HyperPav { pool: 0 };
    } else {
        plan.volumes[0].aliasing = Aliasing::Pav { aliases, redispatch };
    }
    let mut world: World<TreeCalendar, Observed> =
        World::new(&plan, &Streams::new(seed, 0), Observed::by(Starts::default()));
    world.run_until(Tod::START + Span::SECOND).expect("a second is short");
    world.probe.taken::<Starts>().0
}

proptest! {
    #![proptest_config(super::cases(100))]

    #[test]
    fn one_more_alias_lets_none_start_later(
        connect in any_distribution(1_500),
        gap_us in prop_oneof![Just(0u64), 1..200u64],
        per_second in 100.0..3_000.0,
        (pooled, seed) in any::<(bool, u64)>(),
    ) {
        let plan = one_volume(connect, Span::from_us(gap_us), per_second);
        let mut fewer = starts(plan.clone(), 0, pooled, seed);
        for aliases in 1..=4 {
            let more = starts(plan.clone(), aliases, pooled, seed);
            prop_assert!(more.len() >= fewer.len(), "{aliases} aliases start fewer I/Os");
            let later = more.iter().zip(&fewer).position(|(more, fewer)| more > fewer);
            prop_assert_eq!(later, None, "an I/O starts later with {} aliases than with one fewer", aliases);
            fewer = more;
        }
    }

    /// An alias of its own and an alias of a pool that no other uses are the same thing.
    #[test]
    fn a_pool_of_one_volume_is_classic(
        connect in any_distribution(1_500),
        (aliases, seed) in (0..5u16, any::<u64>()),
    ) {
        let plan = one_volume(connect, Span::ZERO, 1_500.0);
        prop_assert_eq!(starts(plan.clone(), aliases, true, seed), starts(plan, aliases, false, seed));
    }
}
