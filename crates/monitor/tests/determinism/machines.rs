//! Machines to run twice: between them they use every mechanism, both kinds of guests and every distribution.

use crate::plans::{bound, closed, exponential, io, io_by_weight, numbers, open, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{
    AliasPoolPlan, Aliasing, Arrival, Batch, CachePlan, CecPlan, Change, ChangePlan, Choice, ControlUnitPlan,
    DispatcherPlan, Dispatching, GuestPlan, IoPlan, MinidiskPlan, PartitionPlan, Plan, Polarization, Preemption,
    Processors, PrsmPlan, Redispatch, RunsInPlan, Share, Step, Target, WeightPlan,
};
use units::{PerSecond, Percent, Span};

const MEAN: Span = Span::from_us(700);

/// Every machine with its name.
pub fn machines() -> Vec<(&'static str, Plan)> {
    vec![
        ("M/M/1 from outside", plan(vec![volume("A", exponential(1_000))], vec![open(500.0, vec![io(0)])])),
        ("classic aliases", classic()),
        ("a pool, first in first out", pool(Redispatch::PoolFifo)),
        ("a pool, same volume", pool(Redispatch::SameVolume)),
        ("a pool, no redispatch", pool(Redispatch::None)),
        ("shared paths", shared_paths()),
        ("everything changes", changing()),
        ("ties", ties()),
        ("domains together", domains(Dispatching::Together)),
        ("domains in antiphase", domains(Dispatching::Apart)),
        ("partitions by weight", by_weight(false)),
        ("partitions by weight with Wait Completion", by_weight(true)),
    ]
}

fn classic() -> Plan {
    let mut disk = volume("A", Distribution::Gamma { mean: MEAN, scv: 0.4 });
    disk.aliasing = bound(2, Redispatch::SameVolume);
    disk.service.connect_per_concurrent = Span::from_us(150);
    disk.gap = Span::from_us(40);
    plan(vec![disk], vec![closed(5, vec![Step::Think(exponential(500)), io(0)])])
}

fn pool(redispatch: Redispatch) -> Plan {
    let kinds = [
        Distribution::Hyperexponential { mean: MEAN, scv: 5.0 },
        Distribution::Gamma { mean: MEAN, scv: 2.0 },
        Distribution::Erlang { mean: MEAN, stages: 3 },
        Distribution::Uniform { low: Span::from_us(200), high: Span::from_us(1_200) },
    ];
    let volumes = kinds.iter().zip(["A", "B", "C", "D"]).map(|(connect, name)| {
        let mut disk = volume(name, *connect);
        disk.aliasing = Aliasing::HyperPav { pool: 0 };
        disk
    });
    let any = io_by_weight(&[(0, 4.0), (1, 3.0), (2, 2.0), (3, 1.0)]);
    let compute = Step::Compute(Distribution::Gamma { mean: Span::from_us(100), scv: 0.5 });
    let program = vec![Step::Repeat { times: 3, steps: vec![compute, any.clone()] }, Step::Think(exponential(300))];
    let mut plan = plan(volumes.collect(), vec![closed(9, program), open(600.0, vec![any.clone(), any])]);
    plan.alias_pools.push(AliasPoolPlan { name: "POOL".into(), aliases: numbers(3), redispatch, ..Default::default() });
    plan
}

/// Two path groups of different sharing, guests from outside and closed ones on both.
fn shared_paths() -> Plan {
    let mut plan = pool(Redispatch::PoolFifo);
    for (number, sharing) in [1.0, 0.15].into_iter().enumerate() {
        plan.control_units.push(ControlUnitPlan::shared(format!("CU{number}"), 4, sharing));
    }
    for (number, disk) in plan.volumes.iter_mut().enumerate() {
        disk.control_unit = Some(number % 2);
        disk.service.pend = exponential(50);
    }
    plan
}

/// Everything that can change changes while batches come in and minidisks take turns.
fn changing() -> Plan {
    let mut plan = shared_paths();
    plan.minidisks.push(MinidiskPlan {
        name: "M".into(),
        volume: 1,
        cache: Some(CachePlan { read_hits: Percent::new(40.0), time: exponential(30) }),
        ..Default::default()
    });
    let reads = IoPlan { reads: Percent::new(70.0), ..IoPlan::reading(Choice::Fixed(Target::Minidisk(0))) };
    let mut guests = open(200.0, vec![Step::Io(reads), io(0)]);
    guests.arrival = Arrival::Open { rate: PerSecond::new(200.0), batch: Batch::Geometric { mean: 3.0 } };
    plan.guests.push(guests);
    let mut at = Span::ZERO;
    let mut stated = |change| {
        at += Span::from_ms(7);
        ChangePlan { at, change }
    };
    plan.changes = vec![
        stated(Change::PoolAliases { pool: 0, online: 0 }),
        stated(Change::Paths { control_unit: 0, online: 1 }),
        stated(Change::Reserve { volume: 1 }),
        stated(Change::PoolAliases { pool: 0, online: 2 }),
        stated(Change::Release { volume: 1 }),
        stated(Change::Paths { control_unit: 1, online: 0 }),
        stated(Change::Paths { control_unit: 1, online: 4 }),
    ];
    plan
}

/// No time is random, and many events are at the same instant.
fn ties() -> Plan {
    let millisecond = Distribution::Constant(Span::from_ms(1));
    let mut plan = pool(Redispatch::PoolFifo);
    for disk in &mut plan.volumes {
        disk.service.connect = millisecond;
    }
    let program = |volume| vec![Step::Think(millisecond), io(volume)];
    plan.guests = (0..4).map(|volume| closed(3 + volume as u32, program(volume))).collect();
    plan
}

/// The same partitions by weight, one of them vertical and one with caps, that come, go and change.
fn by_weight(wait_completion: bool) -> Plan {
    let mut plan = domains(Dispatching::Together);
    let prsm = PrsmPlan { run_time: Some(Span::from_us(1_100)), wait_completion, preemption: Preemption::Share };
    let switch = Span::from_us(15);
    plan.cec = Some(CecPlan { processors: 3, dispatcher: DispatcherPlan::Prsm(prsm), switch });
    let vertical = WeightPlan { polarization: Polarization::Vertical, ..WeightPlan::new(700) };
    let capped = WeightPlan { capped: true, cap: Some(1.5), ..WeightPlan::new(300) };
    plan.partitions[0].processors = Processors::Weighted(vertical);
    plan.partitions[2].processors = Processors::Weighted(capped);
    let change = |ms, change| ChangePlan { at: Span::from_ms(ms), change };
    let less = Share::Weight(250);
    plan.changes = vec![
        change(10, Change::Delete { partition: 2 }),
        change(14, Change::Add { partition: 2 }),
        change(20, Change::Share { partition: 0, share: less }),
    ];
    plan
}

/// Two domains that share two processors and one with its own; every domain has volumes and guests, with priorities.
fn domains(dispatching: Dispatching) -> Plan {
    let mut plan = pool(Redispatch::PoolFifo);
    plan.volumes[0].gap = Span::from_us(40);
    let switch = Span::from_us(15);
    plan.cec = Some(CecPlan::slices(3, Span::from_us(900), dispatching, switch));
    let domain = |name: &str, logical, processors| PartitionPlan {
        slih: exponential(60),
        ..PartitionPlan::new(name, logical, processors)
    };
    let shared = |target| Processors::Shared { target: Percent::new(target), maximum: Percent::new(100.0) };
    plan.partitions = vec![
        domain("FIRST", 2, shared(70.0)),
        domain("OWN", 1, Processors::Dedicated),
        domain("SECOND", 2, shared(30.0)),
    ];
    for (number, disk) in plan.volumes.iter_mut().enumerate() {
        disk.partition = [Some(0), Some(1), Some(2), None][number];
    }
    let work = |count, volume| {
        let compute = Step::Compute(exponential(200));
        closed(count, vec![compute.clone(), io(volume), compute, Step::Think(exponential(400))])
    };
    plan.guests = [(4, 0, 0), (3, 0, 2), (2, 0, 2), (4, 1, 1), (3, 2, 2), (2, 2, 3)]
        .into_iter()
        .enumerate()
        .map(|(number, (count, partition, volume))| {
            let runs_in = Some(RunsInPlan::Partition { partition, priority: (number % 2) as u8 });
            GuestPlan { name: format!("GROUP {number}"), runs_in, ..work(count, volume) }
        })
        .collect();
    plan
}
