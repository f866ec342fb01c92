//! From a resolved scenario to what a control program needs: topology, settings, costs, virtual machines, SET SRM.

use super::keys::{checked, name, named};
use crate::agree::Names;
use crate::growth;
use crate::language::*;
use crate::resolved::Table;
use machine::plan::{
    CacheLevel, Change, ControlProgramPlan, ControllerPlan, CostsPlan, ExcessUse, Footprint, Handover, Homes, LockMode,
    LockOrder, LockPlan, LoopTarget, Method, PauseLoopPlan, Polarization, SharedBy, SpinLockPlan, SpinPlan, Srm,
    SrmPlan, Stealing, Topology, Unparking, VectorOrder, VirtualMachinePlan, VmShare, Yields,
};
use units::Span;

/// How the cores lie and what they share, if anything says so.
pub fn topology(root: &Table) -> Option<Topology> {
    let table = root.table(&LAID_OUT)?;
    let machine = root.table(&SHARED_PROCESSORS).and_then(|cec| cec.text(&MACHINE));
    let count = |key| checked(table.count(key), key);
    Some(Topology {
        name: machine.unwrap_or(LAID_OUT.name).to_string(),
        cores_per_chip: count(&CORES_PER_CHIP),
        chips_per_book: count(&CHIPS_PER_BOOK),
        cores_per_book: table.count(&CORES_PER_BOOK),
        levels: table.tables(&CACHES).iter().map(level).collect(),
    })
}

fn level(table: &Table) -> CacheLevel {
    CacheLevel {
        name: name(table),
        shared_by: match checked(table.text(&SHARED_BY), &SHARED_BY) {
            OF_CORE => SharedBy::Core,
            OF_CHIP => SharedBy::Chip,
            _ => SharedBy::Book,
        },
        kib: kib(table, &CACHE_SIZE),
        beyond: checked(table.number(&BEYOND), &BEYOND),
    }
}

fn kib(table: &Table, key: &Key) -> u64 {
    checked(table.bytes(key), key).bytes() / 1_024
}

/// The control program of a table, unless something in it is unusable.
pub fn control_program(table: &Table) -> Option<ControlProgramPlan> {
    let barriers = table.counts(&BARRIERS)?;
    Some(ControlProgramPlan {
        srm: srm(table)?,
        homes: if table.text(&HOMES)? == DRAWN { Homes::Drawn } else { Homes::InTurn },
        order: if table.text(&VECTOR_ORDER)? == ARRIVAL_ORDER { VectorOrder::Arrival } else { VectorOrder::Share },
        horizontal: stealing(table.text(&HORIZONTAL_STEALING)?),
        vertical: stealing(table.text(&VERTICAL_STEALING)?),
        barriers: barriers.try_into().ok()?,
        slice_jitter: table.percent(&SLICE_JITTER)?,
        lock: lock(table.table(&LOCK)?)?,
        costs: costs(table.table(&COSTS)?)?,
        controller: controller(table.table(&CONTROLLER)?)?,
        spin: own_spin(table.table(&LOCK)?)?,
        soft_wait: table.span(&SOFT_WAIT)?,
        pause_loop: match table.table(&PAUSE_LOOPS) {
            Some(table) => pause_loop(table)?,
            None => PauseLoopPlan::default(),
        },
    })
}

/// How loops are intercepted.
fn pause_loop(table: &Table) -> Option<PauseLoopPlan> {
    Some(PauseLoopPlan {
        gap: table.span(&LOOP_GAP)?,
        window: table.span(&LOOP_WINDOW)?,
        grow: table.count(&LOOP_GROW)?,
        shrink: table.count(&LOOP_SHRINK)?,
        most: table.span(&LOOP_MOST)?,
        exit: table.span(&LOOP_EXIT)?,
        target: if table.text(&LOOP_TARGET)? == NEXT { LoopTarget::Next } else { LoopTarget::Preempted },
    })
}

fn srm(table: &Table) -> Option<SrmPlan> {
    Some(SrmPlan {
        polarization: polarization(table.text(&SRM_POLARIZATION)?),
        method: method(table.text(&METHOD)?),
        cpupad: table.percent(&CPUPAD)?.fraction(),
        excess_use: excess_use(table.text(&EXCESSUSE)?),
        unparking: unparking(table.text(&UNPARKING)?),
        slice: table.span(&DSPSLICE)?,
    })
}

fn lock(table: &Table) -> Option<LockPlan> {
    let exclusive = table.text(&LOCK_MODE)? == EXCLUSIVE_LOCK;
    Some(LockPlan {
        mode: if exclusive { LockMode::Exclusive } else { LockMode::Shared },
        hold: table.span(&LOCK_HOLD)?,
        per_waiter: table.span(&PER_WAITER)?,
        handover: if table.text(&HANDOVER)? == FIFO { Handover::Fifo } else { Handover::DispatchedFirst },
    })
}

fn own_spin(table: &Table) -> Option<SpinPlan> {
    let (retry, one_try) = (table.count(&OWN_RETRY)?, table.span(&OWN_TRY)?);
    Some(SpinPlan { retry, one_try, yields: yields(table.text(&OWN_YIELDS)?) })
}

fn yields(word: &str) -> Yields {
    match word {
        X44 => Yields::X44,
        X9C => Yields::X9C,
        SENSE_RUNNING => Yields::SenseRunning,
        HALT => Yields::Halt,
        PAUSE_LOOP => Yields::PauseLoop,
        _ => Yields::Never,
    }
}

fn costs(table: &Table) -> Option<CostsPlan> {
    let cost = |key| -> Option<Span> { table.span(key) };
    Some(CostsPlan {
        wake: cost(&WAKE)?,
        dispatch: cost(&DISPATCH)?,
        wait: cost(&WAIT)?,
        simulate: cost(&SIMULATE)?,
        look: cost(&LOOK)?,
        entry: cost(&ENTRY)?,
        park: cost(&PARK)?,
        fast_x44: cost(&FAST_X44)?,
        x44: cost(&X44_COST)?,
        x9c: cost(&X9C_COST)?,
        sense: cost(&SENSE)?,
        kick: cost(&KICK).unwrap_or_default(),
    })
}

fn controller(table: &Table) -> Option<ControllerPlan> {
    Some(ControllerPlan {
        every: table.span(&DECIDES_EVERY)?,
        history: table.count(&HISTORY)?,
        percentile: table.percent(&PERCENTILE)?,
        margin: table.percent(&MARGIN)?.fraction(),
        tv_threshold: table.number(&TV_THRESHOLD)?,
        start: table.count(&UNPARKED_AT_START),
    })
}

/// The polarization of this name.
pub fn polarization(word: &str) -> Polarization {
    if word == VERTICAL { Polarization::Vertical } else { Polarization::Horizontal }
}

fn method(word: &str) -> Method {
    match word {
        RESHUFFLE => Method::Reshuffle,
        REBALANCE => Method::Rebalance,
        _ => Method::None,
    }
}

fn excess_use(word: &str) -> ExcessUse {
    match word {
        LOW_USE => ExcessUse::Low,
        MEDIUM => ExcessUse::Medium,
        HIGH_USE => ExcessUse::High,
        _ => ExcessUse::None,
    }
}

fn unparking(word: &str) -> Unparking {
    match word {
        LARGE => Unparking::Large,
        MEDIUM => Unparking::Medium,
        _ => Unparking::Small,
    }
}

fn stealing(word: &str) -> Stealing {
    match word {
        GLOBAL => Stealing::Global,
        FREE => Stealing::Free,
        NEAR => Stealing::Near,
        _ => Stealing::Eager,
    }
}

/// Virtual machines of one kind.
pub fn virtual_machine(table: &Table, names: &Names) -> VirtualMachinePlan {
    let count = |key| checked(table.count(key), key);
    let absolute = table.percent(&ABSOLUTE_SHARE).map(VmShare::Absolute);
    VirtualMachinePlan {
        name: name(table),
        partition: checked(named(table, &HOST, &PARTITION, names), &HOST),
        count: checked(growth::count(table, &MACHINES), &MACHINES),
        virtual_processors: count(&VIRTUAL_PROCESSORS),
        share: absolute.unwrap_or_else(|| VmShare::Relative(count(&RELATIVE_SHARE))),
        limit: table.percent(&LIMIT),
        footprint: table.span(&TOUCHED_IN).map(|touched_in| Footprint { kib: kib(table, &FOOTPRINT), touched_in }),
        spin: spin(table),
    }
}

/// How virtual machines spin; without spin locks it makes no difference.
fn spin(table: &Table) -> SpinPlan {
    let usual = SpinPlan::default();
    SpinPlan {
        retry: table.count(&SPIN_RETRY).unwrap_or(usual.retry),
        one_try: table.span(&SPIN_TRY).unwrap_or(usual.one_try),
        yields: table.text(&YIELDS).map_or(usual.yields, yields),
    }
}

/// A spin lock.
pub fn spin_lock(table: &Table, names: &Names) -> SpinLockPlan {
    SpinLockPlan {
        name: name(table),
        machines: checked(named(table, &LOCK_OF, &VIRTUAL_MACHINE, names), &LOCK_OF),
        count: checked(table.count(&LOCKS), &LOCKS),
        order: match checked(table.text(&LOCK_ORDER), &LOCK_ORDER) {
            TICKET => LockOrder::Ticket,
            QUEUED => LockOrder::Queued,
            _ => LockOrder::Unordered,
        },
    }
}

/// What a SET SRM sets: one change for each of its settings.
pub fn srm_changes(table: &Table, names: &Names) -> Vec<Change> {
    let partition = checked(named(table, &SRM_OF, &PARTITION, names), &SRM_OF);
    let settings = [
        table.text(&NEW_POLARIZATION).map(|word| Srm::Polarization(polarization(word))),
        table.text(&NEW_METHOD).map(|word| Srm::Method(method(word))),
        table.percent(&NEW_CPUPAD).map(|pad| Srm::CpuPad(pad.fraction())),
        table.text(&NEW_EXCESSUSE).map(|word| Srm::ExcessUse(excess_use(word))),
        table.text(&NEW_UNPARKING).map(|word| Srm::Unparking(unparking(word))),
        table.span(&NEW_SLICE).map(Srm::Slice),
    ];
    settings.into_iter().flatten().map(|srm| Change::Srm { partition, srm }).collect()
}
