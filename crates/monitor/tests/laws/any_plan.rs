//! Random plans: up to six volumes of every kind of aliasing, shared pools, every distribution and policy. Paths are shared
//! or not, with serial channels and gaps. There are closed guests and arrivals from outside, and steps of every kind with
//! repeats. Minidisks with and without a cache, batches, recorded arrivals, and changes of everything that can be changed.

use super::any_change::any_changes;
use super::any_domains::any_domains;
use super::any_queues::any_queues;
use kernel::distribution::Distribution;
use machine::plan::{
    Access, AliasPoolPlan, Aliasing, Arrival, Batch, CachePlan, ChannelPlan, Choice, ControlUnitPlan, DeviceNumber,
    Discipline, GuestPlan, Holds, IoLimitPlan, IoPlan, MinidiskPlan, Plan, Record, Redispatch, Selection, ServicePlan,
    Step, Target, VolumePlan,
};
use proptest::collection::vec;
use proptest::prelude::*;
use units::{PerSecond, Percent, Span};

/// Any plan that a scenario could resolve to, small enough for many to be simulated.
pub fn any_plan() -> impl Strategy<Value = Plan> {
    (any_parts(), any::<bool>(), any_domains(), any_queues()).prop_flat_map(|(plan, changing, domains, queues)| {
        let targets = targets(&plan);
        let guests = vec(any_guest(targets), 1..=3usize);
        let changes = if changing { any_changes(&plan).boxed() } else { Just(Vec::new()).boxed() };
        (Just(plan), guests, changes).prop_map(move |(plan, mut guests, changes)| {
            for (number, guest) in guests.iter_mut().enumerate() {
                guest.name = format!("G{number}");
            }
            let plan = domains.settle(Plan { guests, changes, ..plan });
            queues.settle(plan)
        })
    })
}

/// The parts of a machine, without guests.
fn any_parts() -> impl Strategy<Value = Plan> {
    (1..=6usize, 0..=3usize, 0..=2usize, 0..=3usize).prop_flat_map(|(volumes, pools, units, minidisks)| {
        let kinds = (pools, units);
        let pools = vec((0..=4u16, any_redispatch()), pools);
        let units = vec(prop_oneof![Just(0.0), Just(1.0), 0.01..0.9], units);
        let minidisks = vec(any_minidisk(volumes), minidisks);
        let volumes = vec(any_volume(kinds), volumes).prop_map(number);
        let parts = (pools, units, volumes, minidisks);
        (parts, vec(any_channel(), 0..=3usize), any::<bool>()).prop_map(|(parts, channels, first_free)| {
            let (pools, units, volumes, minidisks) = parts;
            with_channels(assemble(&pools, &units, volumes, minidisks), channels, first_free)
        })
    })
}

fn any_channel() -> impl Strategy<Value = ChannelPlan> {
    (any_distribution(300), 0..20u64, 0..3u8).prop_map(|(per_io, per_kib, kind)| ChannelPlan {
        name: String::new(),
        per_io,
        per_kib: Span::from_us(per_kib),
        full_duplex: kind > 0,
        holds: Holds::Transfer,
        discipline: if kind > 1 { Discipline::Shared } else { Discipline::Fifo },
        ..Default::default()
    })
}

/// Leads all channels to every control unit; where connected I/Os do not slow each other the connection may hold them.
fn with_channels(mut plan: Plan, mut channels: Vec<ChannelPlan>, first_free: bool) -> Plan {
    let connection = !first_free && plan.control_units.iter().all(|unit| unit.sharing == 0.0);
    for (number, channel) in channels.iter_mut().enumerate() {
        channel.name = format!("{number:02X}");
        if connection {
            (channel.holds, channel.full_duplex) = (Holds::Connection, false);
            channel.discipline = Discipline::Fifo;
        }
    }
    for unit in &mut plan.control_units {
        unit.selection = if first_free { Selection::FirstFree } else { Selection::Rotating };
        unit.channels = (0..channels.len()).collect();
        if !channels.is_empty() {
            unit.paths = channels.len() as u32;
        }
    }
    Plan { channels, ..plan }
}

fn any_minidisk(volumes: usize) -> impl Strategy<Value = MinidiskPlan> {
    let hits = prop_oneof![Just(0.0), Just(100.0), 1.0..99.0].prop_map(Percent::new);
    let cache = (hits, any_distribution(100)).prop_map(|(read_hits, time)| CachePlan { read_hits, time });
    (0..volumes, proptest::option::of(cache)).prop_map(|(volume, cache)| MinidiskPlan {
        name: String::new(),
        volume,
        cache,
        ..Default::default()
    })
}

/// Where I/Os of a plan may go.
fn targets(plan: &Plan) -> Vec<Target> {
    let volumes = (0..plan.volumes.len()).map(Target::Volume);
    volumes.chain((0..plan.minidisks.len()).map(Target::Minidisk)).collect()
}

/// Any spread around a mean of up to this many us.
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
    let per_kib = prop_oneof![Just(Span::ZERO), (1..10u64).prop_map(Span::from_us)];
    let service = (short(), short(), any_distribution(1_000), growth, per_kib).prop_map(
        |(pend, disconnect, connect, connect_per_concurrent, connect_per_kib)| ServicePlan {
            pend,
            disconnect,
            connect,
            connect_per_concurrent,
            connect_per_kib,
            ..Default::default()
        },
    );
    let limit = prop_oneof![3 => Just(None), 1 => any_limit().prop_map(Some)];
    (aliasing, control_unit, service, gap, limit).prop_map(|(aliasing, control_unit, service, gap, limit)| VolumePlan {
        name: String::new(),
        device: DeviceNumber(0),
        device_type: "3390-3".into(),
        control_unit,
        aliasing,
        service,
        gap,
        limit,
        partition: None,
        ..Default::default()
    })
}

/// Slices of a few I/Os and of many, whole ticks or none.
fn any_limit() -> impl Strategy<Value = IoLimitPlan> {
    let tick = prop_oneof![Just(Span::ZERO), Just(Span::from_us(100)), Just(Span::from_us(250))];
    (100_000..5_000_000u64, 1..40u64, tick).prop_map(|(per_1000_s, slice, tick)| IoLimitPlan {
        per_1000_s,
        slice: Span::from_us(500 * slice),
        tick,
    })
}

fn any_guest(targets: Vec<Target>) -> impl Strategy<Value = GuestPlan> {
    let (io, records) = (any_io(&targets), any_records(targets));
    let step = prop_oneof![
        any_distribution(2_000).prop_map(Step::Think),
        any_distribution(500).prop_map(Step::Compute),
        io.clone().prop_map(Step::Io),
    ];
    let step = step.prop_recursive(2, 6, 3, |inner| {
        (1..=3u32, vec(inner, 1..=3)).prop_map(|(times, steps)| Step::Repeat { times, steps })
    });
    let program = (io, vec(step, 0..=3)).prop_map(|(io, mut program)| {
        program.push(Step::Io(io));
        program
    });
    let batch = prop_oneof![
        3 => Just(Batch::Of(1)),
        1 => (2..=5u32).prop_map(Batch::Of),
        1 => (1.0..4.0).prop_map(|mean| Batch::Geometric { mean }),
    ];
    let open = (1.0..20.0, batch).prop_map(|(rate, batch)| Arrival::Open { rate: PerSecond::new(rate), batch });
    let arrival = prop_oneof![
        3 => (1..=8u32).prop_map(|count| Arrival::Closed { count }),
        1 => open,
    ];
    prop_oneof![
        6 => (arrival, program).prop_map(|(arrival, program)| GuestPlan { name: String::new(), arrival, runs_in: None, program, ..Default::default() }),
        1 => records.prop_map(|arrival| GuestPlan { name: String::new(), arrival, runs_in: None, program: Vec::new(), ..Default::default() }),
    ]
}

fn any_io(targets: &[Target]) -> impl Strategy<Value = IoPlan> + Clone + use<> {
    let (count, all) = (targets.len(), targets.to_vec());
    let weighed = all.clone();
    let choice = prop_oneof![
        proptest::sample::select(all.clone()).prop_map(Choice::Fixed),
        Just(Choice::Uniform(all)),
        vec(0.1..9.0, count).prop_map(move |weights| Choice::Weighted(weighed.iter().copied().zip(weights).collect())),
    ];
    let reads = prop_oneof![Just(0.0), Just(100.0), 1.0..99.0].prop_map(Percent::new);
    (choice, 0..65_536u32, reads).prop_map(|(choice, bytes, reads)| IoPlan { choice, bytes, reads })
}

/// Up to forty recorded I/Os, some at the same instant.
fn any_records(targets: Vec<Target>) -> impl Strategy<Value = Arrival> {
    let access = prop_oneof![Just(Access::Read), Just(Access::Write)];
    let record = (0..3_000u64, proptest::sample::select(targets), 0..65_536u32, access);
    vec(record, 0..40).prop_map(|records| {
        let mut at = Span::ZERO;
        let records = records.into_iter().map(|(later, target, bytes, access)| {
            at += Span::from_us(later.saturating_sub(500));
            Record { at, target, bytes, access }
        });
        Arrival::Replay { records: records.collect() }
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
    mut minidisks: Vec<MinidiskPlan>,
) -> Plan {
    let unit = |(number, sharing): (usize, &f64)| ControlUnitPlan::shared(format!("CU{number}"), 4, *sharing);
    let pool = |(number, (aliases, redispatch)): (u16, &(u16, Redispatch))| AliasPoolPlan {
        name: format!("P{number}"),
        aliases: (0..*aliases).map(|alias| DeviceNumber(0x4000 + 0x10 * number + alias)).collect(),
        redispatch: *redispatch,
        ..Default::default()
    };
    for volume in &mut volumes {
        // One form of slowing at a time, as scenarios demand.
        if volume.control_unit.is_some_and(|unit| sharing[unit] > 0.0) {
            volume.service.connect_per_concurrent = Span::ZERO;
        }
    }
    for (number, minidisk) in minidisks.iter_mut().enumerate() {
        minidisk.name = format!("M{number}");
    }
    Plan {
        control_units: sharing.iter().enumerate().map(unit).collect(),
        alias_pools: (0u16..).zip(pools).map(pool).collect(),
        volumes,
        minidisks,
        ..Plan::default()
    }
}
