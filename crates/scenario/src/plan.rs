//! From a resolved scenario without problems to the plan of the machine.

mod control_program;
mod keys;
mod program;
mod serialization;
mod thread_lock;

pub use keys::distribution;

use crate::agree::{Names, in_time, polarization};
use crate::growth;
use crate::language::*;
use crate::limit::{self, Limit};
use crate::resolved::{Reference, Table, Value};
use control_program::{spin_lock, virtual_machine};
use kernel::distribution::Distribution;
use keys::{checked, name, named};
use machine::ids::{Partition, Physical};
use machine::plan::{
    AliasPoolPlan, Aliasing, Arrival, Batch, CachePlan, CecPlan, CfsPlan, CgroupPlan, Change, ChangePlan, ChannelPlan,
    Choice, ControlUnitPlan, CpEnablePlan, DeviceNumber, Discipline, DispatcherPlan, Dispatching, FrontEndPlan,
    GroupPlan, GuestPlan, Holds, IoLimitPlan, IoPlan, LimitPlan, MinidiskPlan, PartitionPlan, Plan, Preemption,
    Processors, PrsmPlan, Redispatch, ResourcePlan, RunsInPlan, SampleTaken, SamplerPlan, Selection, ServicePlan,
    Share, SharedPlan, Sizes, SlicesPlan, Step, ThreadPlan, VolumePlan, WeightPlan, YieldRule,
};
use program::Programs;
use std::sync::Arc;
use thread_lock::thread_lock;
use units::{PerSecond, Percent, Span};

/// The plan of a scenario.
pub fn plan(root: &Table, names: &Names) -> Plan {
    let linkage = root.table(&SERIALIZED).and_then(|table| table.text(&LINKAGE)).unwrap_or(SVC_LINKAGE);
    let programs = Programs { names, networks: root.tables(&NETWORKS), linkage };
    Plan {
        cec: root.table(&SHARED_PROCESSORS).map(|table| checked(cec(table), &SHARED_PROCESSORS)),
        topology: control_program::topology(root),
        virtual_machines: root.tables(&VIRTUAL_MACHINES).iter().map(|table| virtual_machine(table, names)).collect(),
        spin_locks: root.tables(&SPIN_LOCKS).iter().map(|table| spin_lock(table, names)).collect(),
        thread_locks: root.tables(&THREAD_LOCKS).iter().map(thread_lock).collect(),
        partitions: partitions(root, names),
        lpar_groups: root.tables(&LPAR_GROUPS).iter().map(lpar_group).collect(),
        channels: root.tables(&CHANNELS).iter().map(channel).collect(),
        control_units: root.tables(&CONTROL_UNITS).iter().map(|table| control_unit(table, names)).collect(),
        alias_pools: root.tables(&ALIAS_POOLS).iter().map(alias_pool).collect(),
        volumes: root.tables(&VOLUMES).iter().map(|table| volume(table, names)).collect(),
        minidisks: root.tables(&MINIDISKS).iter().map(|table| minidisk(table, names)).collect(),
        resources: root.tables(&RESOURCES).iter().map(resource).collect(),
        serialization: root.table(&SERIALIZED).map(|table| serialization::serialization(table, names)),
        enqueues: root.tables(&ENQUEUES).iter().map(|table| serialization::enqueue(table, names)).collect(),
        front_ends: root.tables(&FRONT_ENDS).iter().map(|table| front_end(table, names)).collect(),
        // Paging comes behind the guests, whose numbers programs have.
        guests: (root.tables(&GUESTS).iter().map(|table| guest(table, &programs)))
            .chain(root.tables(&PAGINGS).iter().map(|table| paging(table, names)))
            .collect(),
        changes: in_time(root).into_iter().flat_map(|table| changes(table, names)).collect(),
    }
}

/// Partitions, or groups of threads in their place, each with a run queue on every processor.
fn partitions(root: &Table, names: &Names) -> Vec<PartitionPlan> {
    let groups = root.tables(&CGROUPS);
    if groups.is_empty() {
        return root.tables(&PARTITIONS).iter().map(|table| grouped(table, names)).collect();
    }
    let cec = checked(root.table(&SHARED_PROCESSORS), &SHARED_PROCESSORS);
    let processors = checked(cec.count(&PROCESSORS), &PROCESSORS);
    let sizes = control_program::topology(root).map_or(Sizes { chip: u32::MAX, book: u32::MAX }, |own| own.sizes());
    let group = |table| PartitionPlan::new(&name(table), processors, Processors::Cgroup(cgroup(table, sizes)));
    groups.iter().map(group).collect()
}

/// A partition, and the group that it is in.
fn grouped(table: &Table, names: &Names) -> PartitionPlan {
    let mut partition = checked(partition(table), &PARTITIONS);
    if let Processors::Weighted(weight) = &mut partition.processors {
        weight.group = named(table, &OF_GROUP, &LPAR_GROUP, names);
    }
    partition
}

fn lpar_group(table: &Table) -> GroupPlan {
    GroupPlan { name: name(table), cap: checked(table.number(&GROUP_CAP), &GROUP_CAP) }
}

fn cgroup(table: &Table, sizes: Sizes) -> CgroupPlan {
    let text = |key| checked(table.text(key), key);
    let limit = limit::read(text(&CPU_MAX)).expect("it was checked").map(|Limit { quota, period }| LimitPlan {
        quota,
        period,
        burst: limit::span(text(&CPU_MAX_BURST)).expect("it was checked"),
    });
    let millionths = |share: Percent| (share.fraction() * 1e6).round() as u64;
    let near = table.percent(&SHARED_DATA).map_or(0, millionths);
    let far = table.percent(&SHARED_DATA_FAR).map_or(near, millionths);
    let shared = (near + far > 0).then_some(SharedPlan { near, far, sizes });
    CgroupPlan { limit, weight: checked(table.count(&CPU_WEIGHT), &CPU_WEIGHT), shared }
}

/// The slice of an equal share at a scheduling parameter: 30 ms at 1, 20 at 3 and 10 at 5 (Partitioning Large
/// Processors, 7.0).
pub fn slice_at(parameter: u32) -> Span {
    Span::from_ms(35 - 5 * u64::from(parameter))
}

/// The processors of a table, unless something in it is unusable.
pub fn cec(table: &Table) -> Option<CecPlan> {
    let processors = table.count(&PROCESSORS)?;
    let dispatcher = if table.text(&DISPATCHER)? == PRSM {
        DispatcherPlan::Prsm(prsm(table)?)
    } else if table.text(&DISPATCHER)? == CFS {
        let dispatcher = DispatcherPlan::Cfs(cfs(table)?);
        return Some(CecPlan { processors, dispatcher, switch: table.span(&SWITCH)? });
    } else {
        DispatcherPlan::Slices(SlicesPlan {
            slice: table.count(&SCHEDULING_PARAMETER).map(slice_at).or(table.span(&SLICE))?,
            dispatching: if table.text(&DISPATCHING)? == APART { Dispatching::Apart } else { Dispatching::Together },
        })
    };
    Some(CecPlan { processors, dispatcher, switch: table.span(&SWITCH)? })
}

fn cfs(table: &Table) -> Option<CfsPlan> {
    Some(CfsPlan {
        bandwidth_slice: table.span(&BANDWIDTH_SLICE)?,
        base_slice: table.span(&BASE_SLICE)?,
        tick: table.span(&TICK)?,
        wakeup_preemption: table.text(&WAKEUP_PREEMPTION)? == YES,
        yields: if table.text(&SCHED_YIELD)? == DEADLINE { YieldRule::Deadline } else { YieldRule::Forfeit },
        steps_notice: table.text(&SLICE_ENDS)? == AT_STEPS,
    })
}

fn prsm(table: &Table) -> Option<PrsmPlan> {
    let preemption = match table.text(&PREEMPTION)? {
        NEVER => Preemption::Never,
        ALWAYS => Preemption::Always,
        _ => Preemption::Share,
    };
    // Unusable is not the same as absent.
    let run_time = if table.entry(&RUN_TIME).is_some() { Some(table.span(&RUN_TIME)?) } else { None };
    Some(PrsmPlan { run_time, wait_completion: table.text(&WAIT_COMPLETION)? == YES, preemption })
}

/// The partition of a table, unless something in it is unusable.
pub fn partition(table: &Table) -> Option<PartitionPlan> {
    let processors = if table.text(&MODE)? == DEDICATED {
        Processors::Dedicated
    } else if table.entry(&WEIGHT).is_some() {
        Processors::Weighted(weight(table)?)
    } else {
        Processors::Shared { target: table.percent(&TARGET)?, maximum: table.percent(&MAXIMUM)? }
    };
    let control_program = match table.table(&CONTROL_PROGRAM) {
        Some(program) => Some(control_program::control_program(program)?),
        None => None,
    };
    // A control program has nothing of what an operating system does with interrupts.
    let system = control_program.is_none();
    let slih = if system { table.table(&SLIH).and_then(distribution)? } else { Distribution::Constant(Span::ZERO) };
    Some(PartitionPlan {
        active: table.text(&ACTIVE) != Some(NO),
        name: table.text(&NAME)?.to_string(),
        logical: table.count(&LOGICAL_PROCESSORS)?,
        processors,
        slih,
        enabled: if system { table.count(&ENABLED)? } else { 1 },
        cpenable: table.table(&CPENABLE).and_then(cpenable),
        ssch: table.table(&SSCH).and_then(distribution),
        reload: if system { table.span(&RELOAD)? } else { Span::ZERO },
        sampler: table.table(&MEASURED_BY).and_then(sampler),
        control_program,
    })
}

fn sampler(table: &Table) -> Option<SamplerPlan> {
    let taken = match table.count(&SAMPLER_PRIORITY) {
        Some(priority) => {
            SampleTaken::ByTask { priority: priority_of(priority), takes: table.table(&TAKES).and_then(distribution)? }
        }
        None => SampleTaken::AtTheTimer,
    };
    Some(SamplerPlan { cycle: table.span(&CYCLE)?, jitter: table.span(&JITTER)?, taken })
}

fn priority_of(count: u32) -> u8 {
    u8::try_from(count).expect("the language has a bound")
}

fn weight(table: &Table) -> Option<WeightPlan> {
    Some(WeightPlan {
        weight: table.count(&WEIGHT)?,
        capped: table.text(&CAPPED)? == YES,
        cap: table.number(&CAP),
        polarization: control_program::polarization(polarization(table)?),
        group: None,
        online: table.count(&ONLINE),
    })
}

fn cpenable(table: &Table) -> Option<CpEnablePlan> {
    Some(CpEnablePlan { low: table.percent(&LOW)?, high: table.percent(&HIGH)?, every: table.span(&EVERY)? })
}

fn channel(table: &Table) -> ChannelPlan {
    ChannelPlan {
        name: name(table),
        per_io: Distribution::Constant(checked(table.span(&PER_IO), &PER_IO)),
        per_kib: checked(table.span(&CHANNEL_PER_KIB), &CHANNEL_PER_KIB),
        full_duplex: table.text(&DUPLEX) == Some(FULL),
        holds: checked(table.text(&HOLDS).and_then(Holds::named), &HOLDS),
        discipline: checked(table.text(&DISCIPLINE).and_then(Discipline::named), &DISCIPLINE),
    }
}

fn control_unit(table: &Table, names: &Names) -> ControlUnitPlan {
    let channel = |reference: &Reference| checked(names.index(&CHANNEL, &reference.name), &CHANNELS_OF);
    ControlUnitPlan {
        channels: table.references(&CHANNELS_OF).iter().map(channel).collect(),
        selection: table.text(&SELECTION).and_then(Selection::named).unwrap_or_default(),
        name: name(table),
        paths: checked(table.count(&PATHS), &PATHS),
        sharing: checked(table.percent(&SHARING), &SHARING).fraction(),
    }
}

fn alias_pool(table: &Table) -> AliasPoolPlan {
    let aliases = aliases(table, &POOL_ALIASES);
    AliasPoolPlan { name: name(table), aliases, redispatch: redispatch(table) }
}

fn aliases(table: &Table, count: &Key) -> Vec<DeviceNumber> {
    match checked(table.count(count), count) {
        0 => Vec::new(),
        count => {
            let first = u32::from(checked(table.device(&FIRST_ALIAS), &FIRST_ALIAS).0);
            (first..first + count).map(|number| DeviceNumber(number as u16)).collect()
        }
    }
}

fn redispatch(table: &Table) -> Redispatch {
    Redispatch::named(checked(table.text(&REDISPATCH), &REDISPATCH)).expect("it was checked")
}

fn volume(table: &Table, names: &Names) -> VolumePlan {
    let aliasing = if let Some(pool) = table.text(&FROM_POOL) {
        Aliasing::HyperPav { pool: checked(names.index(&ALIAS_POOL, pool), &FROM_POOL) }
    } else if table.entry(&BOUND_ALIASES).is_some() {
        Aliasing::Pav { aliases: aliases(table, &BOUND_ALIASES), redispatch: redispatch(table) }
    } else {
        Aliasing::None
    };
    let control_unit = table.text(&ON_CONTROL_UNIT);
    VolumePlan {
        name: name(table),
        device: checked(table.device(&DEVICE), &DEVICE),
        device_type: checked(table.text(&TYPE), &TYPE).to_string(),
        control_unit: control_unit.map(|name| checked(names.index(&CONTROL_UNIT, name), &ON_CONTROL_UNIT)),
        aliasing,
        service: service(checked(table.table(&SERVICE), &SERVICE)),
        gap: checked(table.span(&GAP), &GAP),
        limit: io_limit(table),
        partition: named(table, &OF_PARTITION, &PARTITION, names),
    }
}

fn io_limit(table: &Table) -> Option<IoLimitPlan> {
    let Some(Value::Rate(rate)) = table.value(&IO_LIMIT) else { return None };
    Some(IoLimitPlan {
        per_1000_s: (1000.0 * rate.value.per_second()).round() as u64,
        slice: checked(table.span(&IO_SLICE), &IO_SLICE),
        tick: checked(table.span(&IO_TICK), &IO_TICK),
    })
}

fn service(table: &Table) -> ServicePlan {
    let part = |key| checked(table.table(key).and_then(distribution), key);
    let connect = checked(table.table(&CONNECT), &CONNECT);
    ServicePlan {
        pend: part(&PEND),
        disconnect: part(&DISCONNECT),
        connect: part(&CONNECT),
        connect_per_concurrent: connect.span(&PER_CONCURRENT).unwrap_or(Span::ZERO),
        connect_per_kib: connect.span(&PER_KIB).unwrap_or(Span::ZERO),
    }
}

fn minidisk(table: &Table, names: &Names) -> MinidiskPlan {
    let volume = table.text(&ON_VOLUME).and_then(|name| names.index(&VOLUME, name));
    let cache = |cache: &Table| CachePlan {
        read_hits: checked(cache.percent(&READ_HITS), &READ_HITS),
        time: checked(cache.table(&HIT_TIME).and_then(distribution), &HIT_TIME),
    };
    MinidiskPlan { name: name(table), volume: checked(volume, &ON_VOLUME), cache: table.table(&CACHED).map(cache) }
}

fn resource(table: &Table) -> ResourcePlan {
    let count = |key| checked(table.count(key), key);
    ResourcePlan { name: name(table), count: count(&UNITS), members: count(&MEMBERS) }
}

fn front_end(table: &Table, names: &Names) -> FrontEndPlan {
    FrontEndPlan {
        name: name(table),
        volume: checked(named(table, &SUBCHANNEL, &VOLUME, names), &SUBCHANNEL),
        messages: checked(table.number(&MESSAGES), &MESSAGES),
        first_messages: table.number(&FIRST_MESSAGES),
    }
}

fn changes(table: &Table, names: &Names) -> Vec<ChangePlan> {
    let at = checked(table.span(&CHANGED_AT), &CHANGED_AT);
    let changes = match table.table(&CHANGED_SRM) {
        Some(srm) => control_program::srm_changes(srm, names),
        None => match table.table(&CHANGED_PARTITION) {
            Some(promised) => promises(promised, names),
            None => vec![change(table, names)],
        },
    };
    changes.into_iter().map(|change| ChangePlan { at, change }).collect()
}

fn change(table: &Table, names: &Names) -> Change {
    if let Some(aliases) = table.table(&CHANGED_ALIASES) {
        let online = checked(aliases.count(&ALIASES_ONLINE), &ALIASES_ONLINE);
        match named(aliases, &CHANGED_POOL, &ALIAS_POOL, names) {
            Some(pool) => Change::PoolAliases { pool, online },
            None => Change::BoundAliases {
                volume: checked(named(aliases, &CHANGED_VOLUME, &VOLUME, names), &CHANGED_VOLUME),
                online,
            },
        }
    } else if let Some(paths) = table.table(&CHANGED_PATHS) {
        let control_unit = checked(named(paths, &CHANGED_UNIT, &CONTROL_UNIT, names), &CHANGED_UNIT);
        Change::Paths { control_unit, online: checked(paths.count(&PATHS_ONLINE), &PATHS_ONLINE) }
    } else if let Some(partition) = named(table, &ADDED, &PARTITION, names) {
        Change::Add { partition }
    } else if let Some(partition) = named(table, &DELETED, &PARTITION, names) {
        Change::Delete { partition }
    } else if let Some(parameter) = table.count(&NEW_SCHEDULING_PARAMETER) {
        Change::Slice { slice: slice_at(parameter) }
    } else if let Some(change) = serialization::exit_change(table, names) {
        Change::Exit(change)
    } else if let Some(volume) = named(table, &RESERVED, &VOLUME, names) {
        Change::Reserve { volume }
    } else {
        Change::Release { volume: checked(named(table, &RELEASED, &VOLUME, names), &RELEASED) }
    }
}

/// A new share of a partition, and the number of its processors online.
fn promises(table: &Table, names: &Names) -> Vec<Change> {
    let partition = checked(named(table, &PROMISED, &PARTITION, names), &PROMISED);
    let has_share = [&NEW_TARGET, &NEW_MAXIMUM, &NEW_WEIGHT].iter().any(|key| table.entry(key).is_some());
    let share = has_share.then(|| Change::Share { partition, share: promised(table) });
    let online = table.count(&NEW_ONLINE).map(|online| Change::Online { partition, online });
    share.into_iter().chain(online).collect()
}

fn promised(share: &Table) -> Share {
    match share.count(&NEW_WEIGHT) {
        Some(weight) => Share::Weight(weight),
        None => Share::Slices { target: share.percent(&NEW_TARGET), maximum: share.percent(&NEW_MAXIMUM) },
    }
}

/// Paging as arrivals of I/Os.  ASSUME: they come at random (Poisson), reads and writes mixed as their rates are.
fn paging(table: &Table, names: &Names) -> GuestPlan {
    let rate = |key| growth::rate(table, key).map_or(0.0, PerSecond::per_second);
    let (reads, writes) = (rate(&PAGE_READS), rate(&PAGE_WRITES));
    let pages = checked(table.number(&PAGES_PER_IO), &PAGES_PER_IO);
    let target = |reference: &Reference| checked(names.target(&reference.name), &PAGED_TO);
    let io = IoPlan {
        choice: Choice::Uniform(table.references(&PAGED_TO).iter().map(target).collect()),
        bytes: (pages * PAGE).round() as u32,
        reads: Percent::new(100.0 * reads / (reads + writes)),
    };
    let partition = named(table, &RUNS_IN, &PARTITION, names);
    GuestPlan {
        name: name(table),
        arrival: Arrival::Open { rate: PerSecond::new((reads + writes) / pages), batch: Batch::Of(1) },
        // ASSUME: a system pages ahead of all its programs.
        runs_in: partition.map(|partition| RunsInPlan::Partition { partition, priority: u8::MAX }),
        program: vec![Step::Io(io)],
    }
}

fn guest(table: &Table, programs: &Programs<'_>) -> GuestPlan {
    let names = programs.names;
    let batch = match (table.count(&BATCH), table.number(&BATCH_MEAN)) {
        (_, Some(mean)) => Batch::Geometric { mean },
        (size, None) => Batch::Of(size.unwrap_or(1)),
    };
    let arrival = match (growth::rate(table, &ARRIVALS), growth::count(table, &COUNT)) {
        (Some(rate), _) => Arrival::Open { rate, batch },
        (_, Some(count)) => Arrival::Closed { count },
        _ if table.entry(&ARRIVES).is_some() => Arrival::Spawned,
        // The records are in a file, which the caller reads and supplies.
        _ => Arrival::Replay { records: Arc::default() },
    };
    let machines = named(table, &RUNS_IN_MACHINES, &VIRTUAL_MACHINE, names);
    let partition = named(table, &RUNS_IN, &PARTITION, names).map(|partition| RunsInPlan::Partition {
        partition,
        priority: priority_of(checked(table.count(&PRIORITY), &PRIORITY)),
    });
    let thread = named(table, &RUNS_IN_CGROUP, &CGROUP, names).map(|group| {
        RunsInPlan::Cgroup(ThreadPlan {
            group: Partition(group as u32),
            nice: checked(table.number(&NICE), &NICE) as i8,
            processor: table.count(&PINNED).map(Physical),
        })
    });
    let runs_in = partition.or(thread).or(machines.map(|machines| RunsInPlan::VirtualMachine { machines }));
    GuestPlan { name: name(table), arrival, runs_in, program: programs.steps(table.tables(&PROGRAM)) }
}
