//! Random control programs: every setting, any topology, costs and locks of any size. Virtual machines have any share and
//! limit, and locks for which they spin. They are alone on the machine or beside partitions that share it by slices or
//! weight, with SET SRM meanwhile.

use super::any_plan::any_distribution;
use super::any_spin_locks::{Locks, OWN_YIELDS, any_locks, any_spin};
use super::any_weights::{any_prsm, any_weight, by_weight};
use kernel::distribution::Distribution;
use machine::plan::{
    Arrival, Batch, CacheLevel, CecPlan, Change, ChangePlan, ControlProgramPlan, ControllerPlan, CostsPlan,
    DispatcherPlan, Dispatching, ExcessUse, Footprint, GuestPlan, Handover, Homes, LockMode, LockPlan, LoopTarget,
    Method, PartitionPlan, PauseLoopPlan, Plan, Polarization, Processors, RunsInPlan, SharedBy, SpinPlan, Srm, SrmPlan,
    Stealing, Step, Topology, Unparking, VirtualMachinePlan, VmShare,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use units::{PerSecond, Percent, Span};

/// A machine with one or two control programs, and perhaps an operating system beside them.
pub fn any_control_programs() -> impl Strategy<Value = Plan> {
    let programs = vec((any_partition(), vec(any_kind(), 1..=3usize)), 1..=2usize);
    let beside = option::of((any_weight(), any_distribution(900), any_distribution(900)));
    let sharing = (200..5_000u64, 0..30u64, option::of(any_prsm()), any::<bool>());
    (programs, beside, sharing, option::of(any_topology()), vec(any_change(), 0..6)).prop_map(
        |(programs, beside, (slice, switch, prsm, together), topology, changes)| {
            let mut plan = Plan { topology, ..Plan::default() };
            for (Drawn { mut partition, weight }, kinds) in programs {
                share(&mut partition, prsm.is_some(), weight);
                settle(&mut plan, partition, kinds);
            }
            if let Some((weight, compute, think)) = beside {
                let mut partition = PartitionPlan::new("BESIDE", 2, SLICE);
                share(&mut partition, prsm.is_some(), weight);
                system_beside(&mut plan, partition, [Step::Compute(compute), Step::Think(think)]);
            }
            let dedicated = |own: &&PartitionPlan| own.processors == Processors::Dedicated;
            let own: u32 = plan.partitions.iter().filter(dedicated).map(|partition| partition.logical).sum();
            let dispatching = if together { Dispatching::Together } else { Dispatching::Apart };
            let (slice, switch) = (Span::from_us(slice), Span::from_us(switch));
            plan.cec = Some(match prsm {
                Some(prsm) => by_weight(own + 4, prsm, switch),
                None => CecPlan::slices(own + 4, slice, dispatching, switch),
            });
            plan.changes = stated(&plan, changes);
            uncap(&mut plan);
            plan
        },
    )
}

const SLICE: Processors = Processors::Shared { target: Percent::new(30.0), maximum: Percent::new(100.0) };

#[derive(Clone, Debug)]
struct Drawn {
    partition: PartitionPlan,
    weight: Processors,
}

/// A partition has the processors that its dispatcher gives; a dedicated one keeps its own.
fn share(partition: &mut PartitionPlan, by_weight: bool, weight: Processors) {
    if partition.processors != Processors::Dedicated {
        partition.processors = if by_weight { weight } else { SLICE };
    }
}

/// Work on a low logical processor would wait for ever if a cap, or Wait Completion, left it no time.
fn uncap(plan: &mut Plan) {
    let vertical = |partition: &PartitionPlan| match partition.processors {
        Processors::Weighted(plan) => plan.polarization == Polarization::Vertical,
        Processors::Dedicated | Processors::Shared { .. } | Processors::Cgroup(_) => false,
    };
    let vertical_later = Srm::Polarization(Polarization::Vertical);
    let becomes = |stated: &ChangePlan| matches!(stated.change, Change::Srm { srm, .. } if srm == vertical_later);
    if !plan.partitions.iter().any(vertical) && !plan.changes.iter().any(becomes) {
        return;
    }
    for partition in &mut plan.partitions {
        if let Processors::Weighted(plan) = &mut partition.processors {
            (plan.cap, plan.capped) = (None, false);
        }
    }
    if let Some(CecPlan { dispatcher: DispatcherPlan::Prsm(prsm), .. }) = &mut plan.cec {
        prsm.wait_completion = false;
    }
}

fn any_partition() -> impl Strategy<Value = Drawn> {
    (1..=4u32, any::<bool>(), any_control_program(), any_weight()).prop_map(
        |(logical, dedicated, control_program, weight)| {
            let processors = if dedicated { Processors::Dedicated } else { SLICE };
            let mut partition = PartitionPlan::new("", logical, processors);
            partition.control_program = Some(control_program);
            Drawn { partition, weight }
        },
    )
}

/// Every setting, costs and locks of any size, any way to yield.
pub fn any_control_program() -> impl Strategy<Value = ControlProgramPlan> {
    let stealing = || select(vec![Stealing::Global, Stealing::Free, Stealing::Eager, Stealing::Near]);
    let modes = select(vec![LockMode::Shared, LockMode::Exclusive]);
    let lock = (modes, any_cost(9), any_cost(3), select(vec![Handover::Fifo, Handover::DispatchedFirst]));
    let soft_wait = (0..900u64).prop_map(Span::from_us);
    let homes = select(vec![Homes::InTurn, Homes::Drawn]);
    let waits = (soft_wait, any_pause_loop());
    let rest = (any_costs(), any_controller(), 0.0..80.0, any_spin(&OWN_YIELDS), waits, homes);
    (any_srm_plan(), stealing(), stealing(), [1..5u32, 1..5, 1..5], lock, rest).prop_map(
        |(
            srm,
            horizontal,
            vertical,
            barriers,
            (mode, hold, per_waiter, handover),
            (costs, controller, jitter, spin, (soft_wait, pause_loop), homes),
        )| {
            ControlProgramPlan {
                srm,
                homes,
                order: machine::plan::VectorOrder::Share,
                horizontal,
                vertical,
                barriers,
                slice_jitter: Percent::new(jitter),
                lock: LockPlan { mode, hold, per_waiter, handover, ..Default::default() },
                costs,
                controller,
                spin,
                soft_wait,
                pause_loop,
                ..Default::default()
            }
        },
    )
}

/// Windows of half a us at least, for loops of any speed.
fn any_pause_loop() -> impl Strategy<Value = PauseLoopPlan> {
    let windows = (2_048..90_000u64, 0..200_000u64).prop_map(|(window, more)| (window, window + more));
    let target = select(vec![LoopTarget::Preempted, LoopTarget::Next]);
    let gap = select(vec![Span::from_us(1), Span::from_us(100)]);
    (gap, windows, 0..4u32, 0..4u32, any_cost(5), target).prop_map(
        |(gap, (window, most), grow, shrink, exit, target)| {
            let [window, most] = [window, most].map(Span::from_units);
            PauseLoopPlan { gap, window, grow, shrink, most, exit, target }
        },
    )
}

/// Zero, or up to this many us.
fn any_cost(most_us: u64) -> impl Strategy<Value = Span> {
    prop_oneof![1 => Just(Span::ZERO), 3 => (0..most_us * 4_096).prop_map(Span::from_units)]
}

fn any_costs() -> impl Strategy<Value = CostsPlan> {
    let paths = (any_cost(20), any_cost(20), any_cost(20), any_cost(20));
    let yields = (any_cost(3), any_cost(6), any_cost(6), any_cost(1));
    (paths, any_cost(4), any_cost(20), any_cost(200), yields).prop_map(
        |((wake, dispatch, wait, simulate), look, entry, park, (fast_x44, x44, x9c, sense))| CostsPlan {
            wake,
            dispatch,
            wait,
            simulate,
            look,
            entry,
            park,
            fast_x44,
            x44,
            x9c,
            sense,
            // As any other.
            kick: x44,
            ..Default::default()
        },
    )
}

/// Decides often enough to park within the tenths of a second that a law is watched.
fn any_controller() -> impl Strategy<Value = ControllerPlan> {
    (300..20_000u64, 1..6u32, 0.0..=100.0, 0.0..2.0, 1.0..3.0, option::of(1..6u32)).prop_map(
        |(every, history, percentile, margin, tv_threshold, start)| ControllerPlan {
            every: Span::from_us(every),
            history,
            percentile: Percent::new(percentile),
            margin,
            tv_threshold,
            start,
            ..Default::default()
        },
    )
}

fn polarizations() -> impl Strategy<Value = Polarization> {
    select(vec![Polarization::Horizontal, Polarization::Vertical])
}

fn methods() -> impl Strategy<Value = Method> {
    select(vec![Method::Reshuffle, Method::Rebalance, Method::None])
}

fn excess_uses() -> impl Strategy<Value = ExcessUse> {
    select(vec![ExcessUse::None, ExcessUse::Low, ExcessUse::Medium, ExcessUse::High])
}

fn unparkings() -> impl Strategy<Value = Unparking> {
    select(vec![Unparking::Large, Unparking::Medium, Unparking::Small])
}

/// Long enough for what each entry loses, also where a limit leaves a tenth of them.
fn slices() -> impl Strategy<Value = Span> {
    (500..5_000u64).prop_map(Span::from_us)
}

fn any_srm_plan() -> impl Strategy<Value = SrmPlan> {
    (polarizations(), methods(), 0.0..4.0, excess_uses(), unparkings(), slices()).prop_map(
        |(polarization, method, cpupad, excess_use, unparking, slice)| SrmPlan {
            polarization,
            method,
            cpupad,
            excess_use,
            unparking,
            slice,
            ..Default::default()
        },
    )
}

fn any_change() -> impl Strategy<Value = (Span, usize, Srm)> {
    let srm = prop_oneof![
        polarizations().prop_map(Srm::Polarization),
        methods().prop_map(Srm::Method),
        (0.0..4.0).prop_map(Srm::CpuPad),
        excess_uses().prop_map(Srm::ExcessUse),
        unparkings().prop_map(Srm::Unparking),
        slices().prop_map(Srm::Slice),
    ];
    ((0..60_000u64).prop_map(Span::from_us), 0..2usize, srm)
}

fn stated(plan: &Plan, drawn: Vec<(Span, usize, Srm)>) -> Vec<ChangePlan> {
    let holds = |number: &usize| plan.partitions[*number].control_program.is_some();
    let programs = (0..plan.partitions.len()).filter(holds).count();
    let mut changes: Vec<ChangePlan> = drawn
        .into_iter()
        .map(|(at, number, srm)| ChangePlan { at, change: Change::Srm { partition: number % programs, srm } })
        .collect();
    changes.sort_by_key(|change| change.at);
    changes
}

fn any_topology() -> impl Strategy<Value = Topology> {
    let level = (200..9_000u64, 0.0..2.0);
    let shared = select(vec![
        vec![],
        vec![SharedBy::Core],
        vec![SharedBy::Book],
        vec![SharedBy::Core, SharedBy::Chip],
        vec![SharedBy::Core, SharedBy::Chip, SharedBy::Book],
    ]);
    (1..=3u32, 1..=3u32, option::of(1..=9u32), shared, [level.clone(), level.clone(), level]).prop_map(
        |(cores_per_chip, chips_per_book, cores_per_book, shared, drawn)| {
            let mut beyond = 1.0;
            let levels = shared.into_iter().zip(drawn).map(|(shared_by, (kib, slower))| {
                beyond += slower;
                CacheLevel { name: format!("L{kib}"), shared_by, kib, beyond }
            });
            let cores_per_book = cores_per_book.map(|cores| cores.min(cores_per_chip * chips_per_book));
            let levels = levels.collect();
            Topology { name: "any".into(), cores_per_chip, chips_per_book, cores_per_book, levels }
        },
    )
}

/// Virtual machines of a kind, and the guests in them.
fn any_kind() -> impl Strategy<Value = (VirtualMachinePlan, GuestPlan, Locks)> {
    let share = prop_oneof![
        3 => (1..=10_000u32).prop_map(VmShare::Relative),
        1 => (1.0..9.0).prop_map(|percent| VmShare::Absolute(Percent::new(percent))),
    ];
    let limit = option::weighted(0.3, (5.0..100.0).prop_map(Percent::new));
    let footprint = option::of((10..3_000u64, 20..2_000u64))
        .prop_map(|drawn| drawn.map(|(kib, us)| Footprint { kib, touched_in: Span::from_us(us) }));
    ((1..=3u32, 1..=3u32), share, limit, footprint, any_guests(), any_locks()).prop_map(
        |((count, virtual_processors), share, limit, footprint, guests, locks)| {
            let (name, spin) = (String::new(), SpinPlan::default());
            let kind = VirtualMachinePlan {
                name,
                partition: 0,
                count,
                virtual_processors,
                share,
                limit,
                footprint,
                spin,
                ..Default::default()
            };
            (kind, guests, locks)
        },
    )
}

/// Guests that think, compute, pace themselves and are intercepted, or come from outside.
fn any_guests() -> impl Strategy<Value = GuestPlan> {
    let step = prop_oneof![
        3 => any_distribution(900).prop_map(Step::Think),
        4 => any_distribution(900).prop_map(Step::Compute),
        1 => (1.0..60.0).prop_map(|duty| Step::Pace(Percent::new(duty))),
        1 => (0..90u64).prop_map(|us| Step::Intercept(Span::from_us(us))),
    ];
    let program = (any_distribution(900), vec(step, 1..=3)).prop_map(|(think, mut program)| {
        // A program that only paces itself needs time to pass.
        program.push(Step::Think(think));
        program
    });
    let open = (1.0..200.0).prop_map(|rate| Arrival::Open { rate: PerSecond::new(rate), batch: Batch::Of(1) });
    let arrival = prop_oneof![4 => (1..=9u32).prop_map(|count| Arrival::Closed { count }), 1 => open];
    (arrival, program).prop_map(|(arrival, program)| GuestPlan {
        name: String::new(),
        arrival,
        runs_in: None,
        program,
        ..Default::default()
    })
}

/// Gives a plan a partition with a control program and its virtual machines.
fn settle(plan: &mut Plan, mut partition: PartitionPlan, kinds: Vec<(VirtualMachinePlan, GuestPlan, Locks)>) {
    partition.name = format!("ZVM{}", plan.partitions.len());
    for (mut kind, mut guests, locks) in kinds {
        let machines = plan.virtual_machines.len();
        (kind.name, kind.partition) = (format!("VM{machines}"), plan.partitions.len());
        guests.name = format!("G{machines}");
        guests.runs_in = Some(RunsInPlan::VirtualMachine { machines });
        if let Arrival::Open { .. } = guests.arrival {
            // Arrivals from outside are not to outgrow the machine.
            guests.program.truncate(1);
        }
        plan.virtual_machines.push(kind);
        plan.guests.push(guests);
        locks.settle(plan);
    }
    plan.partitions.push(partition);
}

/// A partition whose guests an operating system runs.
fn system_beside(plan: &mut Plan, partition: PartitionPlan, program: [Step; 2]) {
    plan.guests.push(GuestPlan {
        name: "BESIDE".into(),
        arrival: Arrival::Closed { count: 3 },
        runs_in: Some(RunsInPlan::Partition { partition: plan.partitions.len(), priority: 0 }),
        program: program.to_vec(),
        ..Default::default()
    });
    plan.partitions.push(partition);
}

/// A constant that is as long as the mean of a distribution.
pub fn constant(of: Distribution) -> Distribution {
    Distribution::Constant(of.mean())
}
