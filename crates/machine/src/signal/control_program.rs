//! The signals of a control program to its observers.

use crate::ids::{Logical, Partition, Virtual};
use crate::plan::Srm;
use units::Span;

/// Something that a control program just did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// A logical processor ends a stretch of work, which it has spent like this.
    Spent(Logical, Spent),
    /// The state of a virtual processor changes now.
    Stands(Virtual, VirtualStanding),
    /// A virtual processor is dispatched on a logical one.
    Dispatched(Virtual, Logical, Dispatch),
    /// From now on this many virtual processors wait in the dispatch vector of a logical processor.  The single list of
    /// a control program is that of its first.
    Vector(Logical, u32),
    /// A logical processor has taken the scheduler lock of its control program.
    Lock(Logical, ListWork),
    /// A logical processor has found its own vector empty and looked at this many others.
    Looked(Logical, u32),
    /// A logical processor is parked (true) or not, from now on.
    Parked(Logical, bool),
    /// The home vector of a virtual processor is this one from now on, because the placement says so.
    Placed(Virtual, Placed),
    /// The control program has decided how many processors it uses.
    Decided(Partition, Decision),
    /// SET SRM has set something.
    Set(Partition, Srm),
    /// A logical processor that spins for the scheduler lock has yielded to PR/SM, or has looked whether to.
    LockYield(Logical, Diagnosed),
    /// A virtual processor that spins for a lock has yielded on a logical one, or has looked whether to.
    Diagnosed(Virtual, Logical, Diagnosed),
    /// The loop of a virtual processor is intercepted on a logical one, after this window.
    LoopExit(Virtual, Logical, Span),
    /// An instruction of a virtual processor that was intercepted on a logical one has been simulated.
    Intercepted(Virtual, Logical),
}

/// The outcome of the yield of a virtual processor, or of a logical one to PR/SM; or a halt, or a kick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagnosed {
    /// DIAGNOSE X'44' over an empty vector: it returned at once (fast path).
    Fast44,
    /// DIAGNOSE X'44' ended its slice.
    X44,
    /// DIAGNOSE X'9C': its target runs in its place.
    Yielded,
    /// DIAGNOSE X'9C' returned at once: its target may not run now, being at its limit, not woken yet, or on its way
    /// back to its vector.
    NotReady,
    /// DIAGNOSE X'9C' returned at once: its target has nothing to do.
    InWait,
    /// DIAGNOSE X'9C' returned at once: its target has had nothing to do for a short time.
    InSoftWait,
    /// DIAGNOSE X'9C' returned at once: its target is dispatched.
    Dispatched,
    /// SIGP Sense Running Status says that its target runs; there is no DIAGNOSE.
    Sensed,
    /// It has halted until the lock is released.
    Halted,
    /// It has released a lock, and has kicked the next in turn, which had halted.
    Kicked,
    /// Its loop was intercepted, and no other runs in its place: it loops on.
    LoopGoesOn,
    /// Its loop was intercepted, and its slice is over.
    LoopEnded,
    /// Its loop was intercepted, and another of its machine runs in its place.
    LoopYielded,
}

/// The use of a stretch of time of a logical processor; the parts do not overlap but for `spin`, `work` and `spinning`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// On whose behalf; emulation and chargeable time are nothing without one.
    pub on: Option<Virtual>,
    /// Running a guest's instructions.
    pub emulation: Span,
    /// In the control program for a guest, charged to it.
    pub chargeable: Span,
    /// In the control program, not charged.
    pub system: Span,
    /// The part of `system` spent spinning for the scheduler lock.
    pub spin: Span,
    /// How long the instructions of `emulation` would have taken in warm caches, but for those that spin.
    pub work: Span,
    /// The part of `emulation` in which the guest spun for a lock of its own.
    pub spinning: Span,
}

/// The state of a virtual processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VirtualStanding {
    /// It has nothing to do (enabled wait).
    #[default]
    Idle,
    /// It has something to do, and the control program has not handled the interrupt that says so.
    Waking,
    /// It waits for a logical processor (CPU wait).
    Ready,
    /// It has one.
    Running,
    /// It has one, whose logical processor handles an interrupt for another.
    Interrupted,
    /// It has had what it gets at most, and waits (limit list).
    Limited,
    /// It has halted until a spin lock is released for it (enabled wait).
    Halted,
}

/// How far two processors are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// They are the same.
    #[default]
    Same,
    /// On one chip.
    Chip,
    /// On chips of one book.
    Book,
    /// In different books.
    Far,
}

/// The way in which a virtual processor was dispatched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    /// How far it is from where it ran before.
    pub moved: Distance,
    /// The distance over which it was stolen; none from the processor's own vector, or from the list for all.
    pub stolen: Option<Distance>,
    /// How much of its storage the innermost caches hold, and how much the next and the one after, in millionths.
    pub resident: [u32; 3],
}

/// A list operation under the scheduler lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListWork {
    /// Whether it took the lock exclusive.
    pub exclusive: bool,
    /// How long it spun for it; nothing: there was no collision.
    pub spin: Span,
    /// How long it held it.
    pub hold: Span,
}

/// A virtual processor's new home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Whose vector it was.
    pub from: Logical,
    /// Whose it is.
    pub to: Logical,
}

/// A decision of a control program on the number of processors; shares and ratios in processors' worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decision {
    /// The partition's total use in the last interval.
    pub used: f64,
    /// The ratio of total to virtual time in it (T/V); 1 where no guest ran.
    pub tv: f64,
    /// The predicted use of the next.
    pub predicted: f64,
    /// CPUPAD.
    pub cpupad: f64,
    /// The partition's entitlement.
    pub entitled: f64,
    /// The excess by EXCESSUSE.
    pub hoped: f64,
    /// Whether the ratio was high enough to park by need.
    pub tv_parks: bool,
    /// How many were unparked, and how many are from now on.
    pub before: u32,
    /// The same, from now on.
    pub after: u32,
}
