//! The reasons of waits, in the words of the trade; each reason is known when the wait begins.

use super::lane::bound;
use super::processors::{Processors, Unhandled};
use super::state::WaitKind;
use super::who::Who;
use crate::counts::{spin_lock as spin_locks, virtual_processor as virtuals};
use machine::ids::{Enqueue, Exposure, FrontEnd, Logical, Minidisk, Partition, Paths, Pool, SpinLock, Virtual, Volume};
use machine::plan::{Aliasing, DispatcherPlan, Dispatching, Plan, SlicesPlan, Srm};
use machine::signal::{Decision, Diagnosed, Hold, Sample, Varied};
use units::{Span, Tod, counted};

/// The lock under which a system serves requests, as products that show it name it.
pub(super) const LOCK: &str = "CMSEQDQ";

/// The wait of a requester.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub since: Tod,
    pub reason: Reason,
    /// Aliases that had come free when the wait began.
    pub freed: u64,
}

/// The wait of a task that has requested a name, with the state when it asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameWait {
    pub place: usize,
    pub enqueue: Enqueue,
    pub member: u32,
    /// The owner, if there is one alone; the number of owners.
    pub owner: Option<Who>,
    pub owners: u32,
    /// How many others wait.
    pub others: u32,
}

/// The wait of a task that found the lock of a system held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LockWait {
    pub place: usize,
    pub system: Partition,
    pub holder: Option<Who>,
    pub others: u32,
}

/// The reason of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// Every exposure that the volume may use is busy; this many aliases of its own or of its pool were online.
    Queued(Volume, u32),
    /// The minidisk is in use.
    Turn(Minidisk),
    /// A message waits for the I/O that carries it, or rides on it.
    Message(FrontEnd),
    /// The I/O has started and stays pending.
    Held(Volume, Hold),
    /// The I/O has ended, and its interrupt is not handled.
    Interrupt(Volume, Exposure, Unhandled),
    /// Work has no processor; whether one of the partition was carried at least.
    Ready(Partition, bool),
    /// Work has a processor that is not carried.
    Undispatched(Logical),
    /// A virtual processor does not run.
    Virtual(Virtual, Standstill),
    /// A spin lock is held, by this one, if by any; this many others spin for it.
    Spinning(SpinLock, Option<Who>, u32),
    /// The ENQ/DEQ lock of its system is taken.
    Suspended(LockWait),
    /// A name is had by others, or others have waited longer.
    Named(NameWait),
}

/// Why a virtual processor does not run, though it has something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standstill {
    /// Its interrupt has not been handled.
    Waking,
    /// It is in no vector yet.
    Ready,
    /// It is in the vector of a processor, which ran another or none then, with this many others.
    InVector(Logical, Option<Virtual>, u32),
    /// It is in the one list of a control program, with this many others.
    InList(u32),
    /// It has had its slice on a processor.
    SliceOver(Logical),
    /// It has ended its slice on a processor itself.
    Yielded(Logical, Diagnosed),
    /// Its processor handles an interrupt for another, or is undispatched.
    Interrupted(Logical),
    /// It has had all that its limit grants.
    Limited,
}

impl Reason {
    pub(super) const fn kind(self) -> WaitKind {
        match self {
            Reason::Queued(..) => WaitKind::Queued,
            Reason::Turn(_) => WaitKind::Turn,
            Reason::Message(_) => WaitKind::Message,
            Reason::Held(..) => WaitKind::Held,
            Reason::Interrupt(..) => WaitKind::Interrupt,
            Reason::Ready(..) | Reason::Undispatched(_) => WaitKind::Ready,
            Reason::Virtual(_, why) => match why {
                Standstill::Waking => WaitKind::Waking,
                Standstill::Ready
                | Standstill::InVector(..)
                | Standstill::InList(_)
                | Standstill::SliceOver(_)
                | Standstill::Yielded(..) => WaitKind::Ready,
                Standstill::Interrupted(_) => WaitKind::Interrupted,
                Standstill::Limited => WaitKind::Limited,
            },
            Reason::Spinning(..) => WaitKind::Spinning,
            Reason::Suspended(_) => WaitKind::Suspended,
            Reason::Named(_) => WaitKind::Enqueued,
        }
    }

    /// The place that it is about, as a number; bases are the first exposures, in the order of the volumes.
    pub(super) fn at(self, plan: &Plan, processors: &Processors) -> usize {
        match self {
            Reason::Queued(volume, _) | Reason::Held(volume, _) => volume.index(),
            Reason::Turn(minidisk) => plan.minidisks[minidisk.index()].volume,
            Reason::Message(front_end) => plan.front_ends[front_end.index()].volume,
            Reason::Interrupt(_, exposure, _) => exposure.index(),
            Reason::Ready(partition, _) => processors.place(processors.last(partition)),
            Reason::Undispatched(logical) => processors.place(logical),
            Reason::Virtual(number, why) => match why {
                Standstill::InVector(logical, ..)
                | Standstill::SliceOver(logical)
                | Standstill::Yielded(logical, _) => processors.place(logical),
                Standstill::Waking
                | Standstill::Ready
                | Standstill::InList(_)
                | Standstill::Interrupted(_)
                | Standstill::Limited => processors.virtual_place(number),
            },
            Reason::Spinning(lock, ..) => processors.spin_lock_place(lock),
            Reason::Suspended(LockWait { place, .. }) | Reason::Named(NameWait { place, .. }) => place,
        }
    }

    /// Where: a volume, a minidisk, a partition, a spin lock or a resource.
    pub(super) fn place<'a>(self, plan: &'a Plan, processors: &Processors) -> &'a str {
        match self {
            Reason::Queued(volume, _) | Reason::Held(volume, _) | Reason::Interrupt(volume, ..) => {
                &plan.volumes[volume.index()].name
            }
            Reason::Turn(minidisk) => &plan.minidisks[minidisk.index()].name,
            Reason::Message(front_end) => &plan.front_ends[front_end.index()].name,
            Reason::Ready(partition, _) => &plan.partitions[partition.index()].name,
            Reason::Undispatched(logical) => &plan.partitions[processors.owner(logical).index()].name,
            Reason::Virtual(number, _) => &plan.partitions[virtuals::partition(plan, number)].name,
            Reason::Spinning(lock, ..) => &spin_locks::lock(plan, lock).name,
            Reason::Suspended(wait) => &plan.partitions[wait.system.index()].name,
            Reason::Named(wait) => &plan.enqueues[wait.enqueue.index()].name,
        }
    }

    /// In words.  This many aliases became free while it lasted and were not given to a waiting request: redispatch is a policy.
    pub(super) fn words(self, passed_over: u64, plan: &Plan, processors: &Processors) -> String {
        let name = |partition: Partition| &plan.partitions[partition.index()].name;
        match self {
            Reason::Queued(volume, online) => {
                let words = busy(&plan.volumes[volume.index()].aliasing, online, plan);
                match passed_over {
                    0 => words,
                    1 => format!("{words}; passed over once"),
                    2 => format!("{words}; passed over twice"),
                    times => format!("{words}; passed over {times} times"),
                }
            }
            Reason::Turn(minidisk) => format!("minidisk {} in use", plan.minidisks[minidisk.index()].name),
            Reason::Message(front_end) => format!("message with front end {}", plan.front_ends[front_end.index()].name),
            Reason::Held(_, Hold::Reserved) => "pending: volume reserved by another system".into(),
            Reason::Held(_, Hold::NoPath) => "pending: no path online".into(),
            Reason::Held(_, Hold::NoToken) => "pending: limit of the volume used up".into(),
            Reason::Interrupt(_, _, Unhandled::NotDispatched(partition)) => {
                format!("I/O ended, {} not dispatched", name(partition))
            }
            Reason::Interrupt(_, _, Unhandled::HandlerBusy) => "I/O ended, handler busy".into(),
            Reason::Interrupt(_, _, Unhandled::NotEnabled(partition)) => {
                format!("I/O ended, {} busy and not enabled", name(partition))
            }
            Reason::Interrupt(_, _, Unhandled::Dropped(logical)) => {
                format!("I/O ended, handler in {} not dispatched", dropped(logical, plan, processors))
            }
            Reason::Ready(partition, true) => format!("ready, no processor of {} free", name(partition)),
            Reason::Ready(partition, false) => format!("ready, {} not dispatched", name(partition)),
            Reason::Undispatched(logical) => format!("ready, {} not dispatched", dropped(logical, plan, processors)),
            Reason::Virtual(_, why) => why.words(plan, processors),
            Reason::Spinning(lock, holder, count) => {
                let name = spin_locks::name(plan, lock);
                match holder {
                    Some(holder) => format!("spins for {name}, which {} has{}", holder.name(plan), others(count)),
                    None => format!("spins for {name}, which is another's turn{}", others(count)),
                }
            }
            Reason::Suspended(wait) => {
                let holder = wait.holder.map(|holder| format!(", which {} has", holder.name(plan)));
                format!("suspended for {}{}{}", wait.name(plan), holder.unwrap_or_default(), others(wait.others))
            }
            Reason::Named(NameWait { enqueue, member, owner, owners, others: count, .. }) => {
                let name = named(plan, enqueue, member);
                match owner {
                    Some(owner) => format!("waits for {name}, which {} has{}", owner.name(plan), others(count)),
                    None => format!("waits for {name}, which {owners} share{}", others(count)),
                }
            }
        }
    }
}

impl Standstill {
    fn words(self, plan: &Plan, processors: &Processors) -> String {
        let name = |logical: Logical| {
            let partition = &plan.partitions[processors.owner(logical).index()].name;
            format!("{partition} {}", processors.number(logical))
        };
        match self {
            Standstill::Waking => "waking: its interrupt is not handled yet".into(),
            Standstill::Ready => "CPU wait".into(),
            Standstill::InVector(logical, there, count) => {
                let behind = there.map(|there| format!(" behind {}", virtuals::name(plan, there.index())));
                format!("CPU wait at {}{}{}", name(logical), behind.unwrap_or_default(), others(count))
            }
            Standstill::InList(count) => format!("CPU wait in the list for all{}", others(count)),
            Standstill::SliceOver(logical) => format!("CPU wait, its slice on {} is over", name(logical)),
            Standstill::Yielded(logical, what) => {
                format!("CPU wait, gave {} up by {}", name(logical), yield_words(what))
            }
            Standstill::Interrupted(logical) => {
                format!("interrupted: {} handles a wake-up or is not carried", name(logical))
            }
            Standstill::Limited => "at the limit of its virtual machine".into(),
        }
    }
}

/// A change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Changed {
    Pool(Pool, u32),
    Bound(Volume, u32),
    Paths(Paths, u32),
    Reserved(Volume),
    Released(Volume),
    Sample(Partition, Sample),
    Partition(Partition, Varied),
    Decided(Partition, Decision),
    Set(Partition, Srm),
}

impl Changed {
    pub(super) fn words(self, plan: &Plan) -> String {
        let volume = |volume: Volume| &plan.volumes[volume.index()];
        let name = |partition: Partition| &plan.partitions[partition.index()].name;
        match self {
            Changed::Pool(number, online) => {
                let pool = &plan.alias_pools[number.index()];
                format!("pool {}: {online} of {} online", pool.name, counted(pool.aliases.len(), "alias", "aliases"))
            }
            Changed::Bound(number, online) => {
                let all = bound(&volume(number).aliasing).len();
                format!("{}: {online} of {} online", volume(number).name, counted(all, "alias", "aliases"))
            }
            Changed::Paths(number, online) => {
                let unit = &plan.control_units[number.index()];
                format!("{}: {online} of {} online", unit.name, counted(unit.paths, "path", "paths"))
            }
            Changed::Reserved(number) => format!("{} reserved by another system", volume(number).name),
            Changed::Sample(number, Sample::Taken(Span::ZERO)) => format!("{} takes a sample", name(number)),
            Changed::Sample(number, Sample::Taken(delay)) => {
                format!("{} takes a sample, {:.1} ms late", name(number), delay.ms())
            }
            Changed::Sample(number, Sample::Lost) => format!("{} loses a sample", name(number)),
            Changed::Released(number) => format!("{} released by the other system", volume(number).name),
            Changed::Decided(number, Decision { before, after, used, tv, .. }) => {
                format!("{}: unparked {before}, from now on {after}; used {used:.2}, T/V {tv:.2}", name(number))
            }
            Changed::Set(number, srm) => format!("SET SRM {} in {}", srm_words(srm), name(number)),
            Changed::Partition(number, varied) => {
                let name = &plan.partitions[number.index()].name;
                let percent = |millionths: u32| f64::from(millionths) / 1e4;
                match varied {
                    Varied::Added => format!("{name} added"),
                    Varied::Deleted => format!("{name} deleted"),
                    Varied::Online(online) => {
                        let all = plan.partitions[number.index()].logical as usize;
                        format!("{name}: {online} of {} online", counted(all, "processor", "processors"))
                    }
                    Varied::Weight(weight) => format!("{name}: weight {weight}"),
                    Varied::Target(target, maximum) => {
                        format!("{name}: target {} %, maximum {} %", percent(target), percent(maximum))
                    }
                }
            }
        }
    }
}

/// What is not dispatched: the partition where all its processors are at once, else the processor.
fn dropped(logical: Logical, plan: &Plan, processors: &Processors) -> String {
    let partition = processors.owner(logical);
    let name = &plan.partitions[partition.index()].name;
    match plan.cec.as_ref().map(|cec| &cec.dispatcher) {
        Some(
            DispatcherPlan::Slices(SlicesPlan { dispatching: Dispatching::Apart, .. })
            | DispatcherPlan::Prsm(_)
            | DispatcherPlan::Cfs(_),
        ) => {
            format!("{name} {}", processors.number(logical))
        }
        Some(DispatcherPlan::Slices(SlicesPlan { dispatching: Dispatching::Together, .. })) | None => name.clone(),
    }
}

fn busy(aliasing: &Aliasing, online: u32, plan: &Plan) -> String {
    match (aliasing, online) {
        (Aliasing::None, _) => "base busy, no alias".into(),
        (Aliasing::Pav { aliases, .. }, 0) if aliases.is_empty() => "base busy, no alias".into(),
        (Aliasing::Pav { .. }, 0) => "base busy, no alias online".into(),
        (Aliasing::Pav { .. }, 1) => "base and its alias busy".into(),
        (Aliasing::Pav { .. }, _) => format!("base and its {online} aliases busy"),
        (Aliasing::HyperPav { pool }, _) => {
            let pool = &plan.alias_pools[*pool];
            // A pool needs its name only beside others.
            let name = if plan.alias_pools.len() == 1 { "pool".into() } else { format!("pool {}", pool.name) };
            match (pool.aliases.len(), online) {
                (0, _) => format!("base busy, {name} without aliases"),
                (_, 0) => format!("base busy, {name} without an alias online"),
                (_, _) => format!("base busy, {name} empty"),
            }
        }
    }
}

fn others(count: u32) -> String {
    if count == 0 { String::new() } else { format!(", {} there", counted(count, "other", "others")) }
}

impl LockWait {
    /// What it is called: "SYSA CMSEQDQ".
    fn name(&self, plan: &Plan) -> String {
        format!("{} {LOCK}", plan.partitions[self.system.index()].name)
    }
}

/// The major and the minor name of a member.
pub(super) fn named(plan: &Plan, enqueue: Enqueue, member: u32) -> String {
    let own = &plan.enqueues[enqueue.index()];
    format!("{} {}", own.qname, own.rname_of(member))
}

/// The settings of SET SRM, in its own words.
fn srm_words(srm: Srm) -> String {
    let percent = |worth: f64| format!("{} %", 100.0 * worth);
    match srm {
        Srm::Polarization(polarization) => format!("POLARIZATION {}", upper(&polarization)),
        Srm::Method(method) => format!("DSPWDMETHOD {}", upper(&method)),
        Srm::CpuPad(pad) => format!("CPUPAD {}", percent(pad)),
        Srm::ExcessUse(excess_use) => format!("EXCESSUSE {}", upper(&excess_use)),
        Srm::Unparking(unparking) => format!("UNPARKING {}", upper(&unparking)),
        Srm::Slice(slice) => format!("DSPSLICE {} ms", slice.ms()),
    }
}

fn upper(setting: &impl std::fmt::Debug) -> String {
    format!("{setting:?}").to_uppercase()
}

/// The outcome of a yield, in words.
pub(super) const fn yield_words(what: Diagnosed) -> &'static str {
    match what {
        Diagnosed::Fast44 => "X'44': the vector is empty, it spins on (fast path)",
        Diagnosed::X44 => "X'44': its slice is over",
        Diagnosed::Yielded => "X'9C': its target runs in its place",
        Diagnosed::NotReady => "X'9C': its target is at its limit, not woken yet or being put back",
        Diagnosed::InWait => "X'9C': its target has nothing to do",
        Diagnosed::InSoftWait => "X'9C': its target has had nothing to do for a short time",
        Diagnosed::Dispatched => "X'9C': its target is dispatched already",
        Diagnosed::Sensed => "no DIAGNOSE: its target runs (SIGP Sense Running Status)",
        Diagnosed::Halted => "it halts until the lock is released",
        Diagnosed::LoopGoesOn => "its loop is intercepted, and no other is to run: it spins on",
        Diagnosed::LoopEnded => "its loop is intercepted: its slice is over",
        Diagnosed::LoopYielded => "its loop is intercepted: another of its machine runs in its place",
        Diagnosed::Kicked => "it has released a lock, and kicks the next, which has halted",
    }
}
