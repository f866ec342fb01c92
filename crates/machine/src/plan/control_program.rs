//! A control program as it is to be built: its settings, what its path costs, and its virtual machines.

pub use super::cec::Polarization;
use units::{Percent, Span};

/// The control program of a partition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlProgramPlan {
    /// The settings of SET SRM at the start.
    pub srm: SrmPlan,
    /// In whose vectors its virtual processors are at home first.
    pub homes: Homes,
    /// The order in a vector.
    pub order: VectorOrder,
    /// The rule of stealing in horizontal mode.
    pub horizontal: Stealing,
    /// The rule of stealing in vertical mode.
    pub vertical: Stealing,
    /// The number that has to wait in a vector before a steal from the same chip, the same book, or farther.  It is at
    /// least 1 each, where stealing is [`Stealing::Near`].
    pub barriers: [u32; 3],
    /// How much a dispatch slice strays at most from its length, either way.
    pub slice_jitter: Percent,
    /// The scheduler lock.
    pub lock: LockPlan,
    /// How it spins for that lock, and yields to PR/SM, where its partition shares its processors.
    pub spin: SpinPlan,
    /// The costs of its own path.
    pub costs: CostsPlan,
    /// When it parks.
    pub controller: ControllerPlan,
    /// How long a virtual processor that has nothing to do is in soft wait, before it counts as in wait.
    pub soft_wait: Span,
    /// How loops of guests that spin are intercepted, where that is.
    pub pause_loop: PauseLoopPlan,
}

impl ControlProgramPlan {
    /// How many of its logical processors are unparked before the first decision.
    pub fn unparked_at_start(&self, logical: u32) -> u32 {
        match self.srm.polarization {
            Polarization::Vertical => self.controller.start.map_or(logical, |start| start.clamp(1, logical)),
            Polarization::Horizontal => logical,
        }
    }

    /// The rule of stealing under a polarization.
    pub fn stealing(&self, polarization: Polarization) -> Stealing {
        match polarization {
            Polarization::Horizontal => self.horizontal,
            Polarization::Vertical => self.vertical,
        }
    }

    /// Whether handling an interrupt takes no time, nor coming back from it.
    #[inline]
    pub fn wakes_for_nothing(&self) -> bool {
        self.lock.hold.is_zero() && self.costs.wake.is_zero() && self.costs.entry.is_zero()
    }
}

/// The settings of SET SRM.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SrmPlan {
    /// POLARIZATION.
    pub polarization: Polarization,
    /// DSPWDMETHOD.
    pub method: Method,
    /// CPUPAD, in processors' worth: 100 % is 1.
    pub cpupad: f64,
    /// EXCESSUSE.
    pub excess_use: ExcessUse,
    /// UNPARKING.
    pub unparking: Unparking,
    /// DSPSLICE.
    pub slice: Span,
}

/// One thing that SET SRM sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Srm {
    /// POLARIZATION.
    Polarization(Polarization),
    /// DSPWDMETHOD.
    Method(Method),
    /// CPUPAD, in processors' worth.
    CpuPad(f64),
    /// EXCESSUSE.
    ExcessUse(ExcessUse),
    /// UNPARKING.
    Unparking(Unparking),
    /// DSPSLICE.
    Slice(Span),
}

/// DSPWDMETHOD: how virtual processors are placed on dispatch vectors in vertical mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Vectors are kept balanced by count.
    #[default]
    Reshuffle,
    /// By predicted use: the biggest guest first, siblings together.
    Rebalance,
    /// No new homes: an ablation, not a setting of the product.
    None,
}

/// EXCESSUSE: how much of what other partitions leave it hopes for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExcessUse {
    /// No excess.
    None,
    /// Little.
    Low,
    /// Some.
    #[default]
    Medium,
    /// All.
    High,
}

/// UNPARKING: how many processors it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unparking {
    /// As many as entitlement and hope allow.
    #[default]
    Large,
    /// As many as it is entitled to.
    Medium,
    /// As many as it needs.
    Small,
}

/// In whose dispatch vectors virtual processors are at home at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Homes {
    /// In those of one processor after the other.
    #[default]
    InTurn,
    /// In any, each equally likely.
    Drawn,
}

/// The order in a dispatch vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VectorOrder {
    /// The least charge over share first.
    #[default]
    Share,
    /// First come, first served, whatever the share.
    Arrival,
}

/// The rule of stealing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stealing {
    /// There is one list: a free processor takes the first.
    #[default]
    Global,
    /// The same, and the processor that has been idle longest handles wake-ups, wherever that one ran last.
    Free,
    /// A vector for each processor; one with an empty vector steals from any other at once.
    Eager,
    /// A vector for each processor; one with an empty vector steals from the nearest with enough waiting.
    Near,
}

impl Stealing {
    /// Whether there is one list for all.
    #[inline]
    pub fn has_one_list(self) -> bool {
        match self {
            Stealing::Global | Stealing::Free => true,
            Stealing::Eager | Stealing::Near => false,
        }
    }
}

/// The scheduler lock (SRMSLOCK): those that came before the holder slow it down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockPlan {
    /// Whether list work of a vector takes it shared.
    pub mode: LockMode,
    /// How long an uncontended list operation holds it; zero: there is no lock.
    pub hold: Span,
    /// How much longer for each that held it or waited for it when the holder came.
    pub per_waiter: Span,
    /// The next that has it, where the partition shares its processors.
    pub handover: Handover,
}

impl LockPlan {
    /// Whether joining and leaving, or all operations, take it exclusive.
    pub(crate) fn is_exclusive(&self, joins: bool) -> bool {
        match self.mode {
            LockMode::Exclusive => true,
            LockMode::Shared => joins,
        }
    }
}

/// The next that has the scheduler lock when it is given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handover {
    /// The first that came, dispatched or not.
    Fifo,
    /// The first dispatched one in order of arrival.  While none is dispatched, the first that is takes it: a lock that
    /// is taken by compare and swap (Linux, arch/s390/lib/spinlock.c, on processors that are not dedicated).
    #[default]
    DispatchedFirst,
}

/// How the scheduler lock is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockMode {
    /// Exclusive for all list work (5.2).
    Exclusive,
    /// Shared for the work of one vector, which has a lock of its own; exclusive for joining and leaving (5.3).
    #[default]
    Shared,
}

/// The costs of the control program's path, beside the scheduler lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CostsPlan {
    /// Of handling a wake-up; not charged.
    pub wake: Span,
    /// Of dispatching a virtual processor; not charged.
    pub dispatch: Span,
    /// Of taking a virtual processor that waits off its vector; not charged.
    pub wait: Span,
    /// Of simulating the wait of a virtual processor, charged to it.
    pub simulate: Span,
    /// Of looking at one dispatch vector for work, when its own has none; not charged.
    pub look: Span,
    /// What a virtual processor loses each time that it is entered: the innermost caches and the translations, which
    /// the control program has used.
    pub entry: Span,
    /// Of parking or unparking a processor; not charged.
    pub park: Span,
    /// Of a DIAGNOSE X'44' over an empty vector (fast path), charged.
    pub fast_x44: Span,
    /// Of a DIAGNOSE X'44' that ends the slice of its caller, charged.
    pub x44: Span,
    /// Of a DIAGNOSE X'9C', whatever its outcome, charged.
    pub x9c: Span,
    /// Of SIGP Sense Running Status, which the guest pays itself.
    pub sense: Span,
    /// Of a call that wakes a halted virtual processor, charged to its caller.
    pub kick: Span,
}

/// When a control program parks processors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerPlan {
    /// How often it decides.
    pub every: Span,
    /// How many intervals it looks back at, at least 1.
    pub history: u32,
    /// Which percentile of what was used in them is the prediction.
    pub percentile: Percent,
    /// The margin of the prediction, in processors' worth.
    pub margin: f64,
    /// From which ratio of total to virtual time (T/V) parking keeps to what is needed and CPUPAD.
    pub tv_threshold: f64,
    /// How many processors are unparked before the first decision, in vertical mode; without it all.
    pub start: Option<u32>,
}

/// Virtual machines of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VirtualMachinePlan {
    /// Their name in the scenario.
    pub name: String,
    /// Index into `Plan::partitions`; that partition has a control program.
    pub partition: usize,
    /// How many there are.
    pub count: u32,
    /// Virtual processors of each.
    pub virtual_processors: u32,
    /// The share of each.
    pub share: VmShare,
    /// The most that each gets (LIMITHARD), of all logical processors of the partition.
    pub limit: Option<Percent>,
    /// The footprint of each of its virtual processors; without it there are no cache effects.
    pub footprint: Option<Footprint>,
    /// How its operating system spins for a lock that another holds.
    pub spin: SpinPlan,
}

/// How an operating system, or the control program, spins for a lock that another of its processors has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinPlan {
    /// How often it tries before it yields (spin_retry); at 0 it yields after every try.
    pub retry: u32,
    /// How long a try takes.
    pub one_try: Span,
    /// How it yields.
    pub yields: Yields,
}

impl Default for SpinPlan {
    /// As Linux does by default, with a try of 8 ns, but for yields: it does not yield.
    fn default() -> SpinPlan {
        SpinPlan { retry: 1000, one_try: Span::from_units(33), yields: Yields::Never }
    }
}

impl SpinPlan {
    /// How long it spins from one yield to the next.
    pub fn round(&self) -> Span {
        self.one_try * u64::from(self.retry.max(1))
    }
}

/// How a guest that spins for a lock yields to the hypervisor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Yields {
    /// Not at all: it spins until it has the lock or its slice is over.
    #[default]
    Never,
    /// DIAGNOSE X'44': end my slice; it does not name the holder.
    X44,
    /// DIAGNOSE X'9C': run the virtual processor that has the lock.
    X9C,
    /// The same, but only if SIGP Sense Running Status says that it does not run.
    SenseRunning,
    /// It halts until the release of the lock kicks it: a paravirtualized lock, granted in turns.
    Halt,
    /// Not by itself: the processor intercepts its loop after a window, and the control program yields in its place.
    PauseLoop,
}

/// Pause-loop exiting: after which window a loop is intercepted, and what the control program does then.
///
/// Source: Intel SDM volume 3, PAUSE-loop exiting: PLE_Gap and PLE_Window; how KVM changes the window,
/// arch/x86/kvm/vmx/vmx.c, `grow_ple_window` and `shrink_ple_window`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseLoopPlan {
    /// The longest time between two tries of a loop; a slower one is not recognized.
    pub gap: Span,
    /// How long a virtual processor may loop at first.
    pub window: Span,
    /// By how much an exit multiplies its window; at 0 it is the first one again.
    pub grow: u32,
    /// By how much a dispatch divides it; at 0 it is the first one again.
    pub shrink: u32,
    /// The longest window.
    pub most: Span,
    /// Of an exit, charged.
    pub exit: Span,
    /// In whose favour the control program yields.
    pub target: LoopTarget,
}

/// The next to run when a loop has been intercepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopTarget {
    /// One of the same machine that waits for a processor, in turn (KVM).
    #[default]
    Preempted,
    /// The first of the vector (Xen).
    Next,
}

impl Default for PauseLoopPlan {
    /// As KVM's, at 3 GHz: 128 and 4,096 cycles, doubled by an exit up to 2^32 - 1, the first one again at a dispatch.
    fn default() -> PauseLoopPlan {
        let cycles = |cycles: u64| Span::from_units(cycles * Span::from_us(1).units() / 3_000);
        let (gap, window, most) = (cycles(128), cycles(4_096), cycles(u64::from(u32::MAX)));
        PauseLoopPlan { gap, window, grow: 2, shrink: 0, most, exit: Span::from_us(1), target: LoopTarget::Preempted }
    }
}

impl PauseLoopPlan {
    /// The window after an exit from this one.
    pub fn grown(&self, window: Span) -> Span {
        if self.grow == 0 { self.window } else { (window * u64::from(self.grow)).min(self.most) }
    }

    /// The window after a dispatch.
    pub fn shrunk(&self, window: Span) -> Span {
        if self.shrink == 0 {
            self.window
        } else {
            Span::from_units(window.units() / u64::from(self.shrink)).max(self.window)
        }
    }
}

/// A spin lock of the operating system in each virtual machine of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpinLockPlan {
    /// Its name in the scenario.
    pub name: String,
    /// Index into `Plan::virtual_machines`.
    pub machines: usize,
    /// The number of equal locks in each machine; a guest takes a certain one, each equally likely.
    pub count: u32,
    /// The order of grants.
    pub order: LockOrder,
}

/// The order in which a spin lock is granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockOrder {
    /// The first to try once it is free, newcomers too.
    #[default]
    Unordered,
    /// First come, first served (a ticket lock): the next in turn delays the others while it does not run.
    Ticket,
    /// The same, each watching the one before it (MCS): the target of a yield is that one, not the holder.
    Queued,
}

/// The share and the limit of a virtual machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VmShare {
    /// Beside the shares of the others; 100 is usual.
    Relative(u32),
    /// Of all logical processors of the partition.
    Absolute(Percent),
}

impl Default for VmShare {
    fn default() -> Self {
        VmShare::Relative(100)
    }
}

/// The contents of a virtual processor in the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// How much, in KiB.
    pub kib: u64,
    /// How long it runs until all but 1/e of what it has was touched.
    pub touched_in: Span,
}
