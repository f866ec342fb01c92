//! Random plans: up to six volumes of every kind of aliasing, shared pools, every distribution and policy, paths that are
//! shared or not, gaps, closed guests and arrivals from outside, steps of every kind with repeats.
//!
//! It leaves out loads that outgrow the machine: arrivals from outside come slower than one base can serve them.

use kernel::distribution::Distribution;
use machine::plan::{
    AliasPoolPlan, Aliasing, Arrival, Choice, ControlUnitPlan, DeviceNumber, GuestPlan, Plan, Redispatch, ServicePlan,
    Step, VolumePlan,
};
use proptest::collection::vec;
use proptest::prelude::*;
use units::{PerSecond, Span};

/// Any plan that a scenario could resolve to, small enough for many to be simulated.
pub fn any_plan() -> impl Strategy<Value = Plan> {
    (1..=6usize, 0..=3usize, 0..=2usize).prop_flat_map(|(volumes, pools, units)| {
        let pools = vec((0..=4u16, any_redispatch()), pools);
        let units = vec(prop_oneof![Just(0.0), Just(1.0), 0.01..0.9], units);
        (pools, units).prop_flat_map(move |(pools, units)| {
            let kinds = (pools.len(), units.len());
            let volumes = vec(any_volume(kinds), volumes).prop_map(number);
            (volumes, 1..=3usize).prop_flat_map(move |(volumes, groups)| {
                let (pools, units, count) = (pools.clone(), units.clone(), volumes.len());
                let guests = vec(any_guest(count), groups);
                guests.prop_map(move |guests| assemble(&pools, &units, volumes.clone(), guests))
            })
        })
    })
}

/// Any spread around a mean of up to so many us.
pub fn any_distribution(most_us: u64) -> impl Strategy<Value = Distribution> {
    let mean = (1..=most_us).prop_map(Span::from_us);
    prop_oneof![
        mean.clone().prop_map(Distribution::Constant),
        mean.clone().prop_map(|high| Distribution::Uniform { low: Span::from_units(high.units() / 3), high }),
        mean.clone().prop_map(|mean| Distribution::Exponential { mean }),
        (mean.clone(), 1..6u32).prop_map(|(mean, stages)| Distribution::Erlang { mean, stages }),
        (mean.clone(), 1.0..9.0).prop_map(|(mean, scv)| Distribution::Hyperexponential { mean, scv }),
        (mean, 0.1..4.0).prop_map(|(mean, scv)| Distribution::Gamma { mean, scv }),
    ]
}

pub fn any_redispatch() -> impl Strategy<Value = Redispatch> {
    prop_oneof![Just(Redispatch::None), Just(Redispatch::SameVolume), Just(Redispatch::PoolFifo)]
}

fn any_volume((pools, units): (usize, usize)) -> impl Strategy<Value = VolumePlan> {
    let pav = (0..=4u16, any_redispatch()).prop_map(|(aliases, redispatch)| Aliasing::Pav {
        aliases: (0..aliases).map(DeviceNumber).collect(),
        redispatch,
    });
    let aliasing = match pools {
        0 => prop_oneof![Just(Aliasing::None), pav].boxed(),
        _ => prop_oneof![1 => Just(Aliasing::None), 1 => pav, 3 => (0..pools).prop_map(|pool| Aliasing::HyperPav { pool })]
            .boxed(),
    };
    let control_unit = match units {
        0 => Just(None).boxed(),
        _ => proptest::option::of(0..units).boxed(),
    };
    let short = || prop_oneof![Just(Distribution::Constant(Span::ZERO)), any_distribution(200)];
    let gap = prop_oneof![Just(Span::ZERO), (1..100u64).prop_map(Span::from_us)];
    let growth = prop_oneof![Just(Span::ZERO), (1..300u64).prop_map(Span::from_us)];
    (aliasing, control_unit, (short(), short(), any_distribution(1_000)), growth, gap).prop_map(
        |(aliasing, control_unit, (pend, disconnect, connect), connect_per_concurrent, gap)| VolumePlan {
            name: String::new(),
            device: DeviceNumber(0),
            device_type: "3390-3".into(),
            control_unit,
            aliasing,
            service: ServicePlan { pend, disconnect, connect, connect_per_concurrent },
            gap,
        },
    )
}

fn any_guest(volumes: usize) -> impl Strategy<Value = GuestPlan> {
    let choice = prop_oneof![
        (0..volumes).prop_map(Choice::Fixed),
        Just(Choice::Uniform((0..volumes).collect())),
        vec(0.1..9.0, volumes).prop_map(|weights| Choice::Weighted(weights.into_iter().enumerate().collect())),
    ];
    let step = prop_oneof![
        any_distribution(2_000).prop_map(Step::Think),
        any_distribution(500).prop_map(Step::Compute),
        choice.clone().prop_map(Step::Io),
    ];
    let step = step.prop_recursive(2, 6, 3, |inner| {
        (1..=3u32, vec(inner, 1..=3)).prop_map(|(times, steps)| Step::Repeat { times, steps })
    });
    let arrival = prop_oneof![
        3 => (1..=8u32).prop_map(|count| Arrival::Closed { count }),
        1 => (1.0..20.0).prop_map(|rate| Arrival::Open { rate: PerSecond::new(rate) }),
    ];
    (arrival, choice, vec(step, 0..=3)).prop_map(|(arrival, choice, mut program)| {
        program.push(Step::Io(choice));
        GuestPlan { name: String::new(), arrival, program }
    })
}

/// Names and device numbers that are all different.
fn number(mut volumes: Vec<VolumePlan>) -> Vec<VolumePlan> {
    for (number, volume) in (0u16..).zip(&mut volumes) {
        volume.name = format!("V{number}");
        volume.device = DeviceNumber(0x1000 + number);
        if let Aliasing::Pav { aliases, .. } = &mut volume.aliasing {
            aliases.iter_mut().for_each(|alias| alias.0 += 0x2000 + 0x10 * number);
        }
    }
    volumes
}

fn assemble(
    pools: &[(u16, Redispatch)],
    sharing: &[f64],
    mut volumes: Vec<VolumePlan>,
    mut guests: Vec<GuestPlan>,
) -> Plan {
    let unit =
        |(number, sharing): (usize, &f64)| ControlUnitPlan { name: format!("CU{number}"), paths: 4, sharing: *sharing };
    let pool = |(number, (aliases, redispatch)): (u16, &(u16, Redispatch))| AliasPoolPlan {
        name: format!("P{number}"),
        aliases: (0..*aliases).map(|alias| DeviceNumber(0x4000 + 0x10 * number + alias)).collect(),
        redispatch: *redispatch,
    };
    for volume in &mut volumes {
        // One form of slowing at a time, as scenarios demand.
        if volume.control_unit.is_some_and(|unit| sharing[unit] > 0.0) {
            volume.service.connect_per_concurrent = Span::ZERO;
        }
    }
    for (number, guest) in guests.iter_mut().enumerate() {
        guest.name = format!("G{number}");
    }
    Plan {
        control_units: sharing.iter().enumerate().map(unit).collect(),
        alias_pools: (0u16..).zip(pools).map(pool).collect(),
        volumes,
        guests,
    }
}
