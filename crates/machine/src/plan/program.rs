//! What guests do: the steps of a program, and its I/Os.

pub use crate::vocabulary::access::Access;
pub use crate::vocabulary::way::Way;
use ::serialization::{Access as EnqueueAccess, Linkage, Ret};
use kernel::distribution::Distribution;
use units::{Percent, Span};

/// One step of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Let time pass.
    Think(Distribution),
    /// Use a processor: the guest's own, or those of its partition.
    Compute(Distribution),
    /// Use a virtual processor until what has been charged is this share of the time since the guest began.
    Pace(Percent),
    /// Issue an instruction that the control program simulates for so long; the virtual processor may lose its processor.
    Intercept(Span),
    /// One I/O; go on when it is done.
    Io(IoPlan),
    /// Do the steps this many times.
    Repeat {
        /// How often, at least once.
        times: u32,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Do the steps this many times on average, one of the two neighbouring whole numbers each time.
    RepeatMean {
        /// How often, above zero.
        mean: f64,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Hold a resource while doing the steps; wait for it before.
    Hold {
        /// Index into [`super::Plan::resources`].
        resource: usize,
        /// The steps meanwhile.
        steps: Vec<Step>,
    },
    /// Hold a spin lock of the own virtual machine while computing; spin for it before.
    Lock {
        /// Index into [`super::Plan::spin_locks`]; its machines are those the guest runs in.
        lock: usize,
        /// What to do meanwhile: nothing that gives a virtual processor up.
        steps: Vec<Step>,
    },
    /// Hold a lock of threads while doing the steps; wait for it before, in its way.
    ThreadLock {
        /// Index into [`super::Plan::thread_locks`].
        lock: usize,
        /// The steps meanwhile.
        steps: Vec<Step>,
    },
    /// Enqueue on a resource by name, and wait for it; the guest runs in a partition without a control program.
    Enq(EnqStep),
    /// Release what was enqueued on without steps, if it is held.
    Deq {
        /// Index into [`super::Plan::enqueues`].
        enqueue: usize,
    },
    /// Have a guest of another group answer: send a request, let it run its program once, and wait for the reply.
    Exchange {
        /// Index into [`super::Plan::guests`]; its arrival is [`super::Arrival::Spawned`].
        guest: usize,
        /// How long the request is on its way.
        request: Span,
        /// How long the reply is on its way.
        reply: Span,
    },
    /// Do one of these, each with its weight, above zero.
    Choose(Vec<(f64, Vec<Step>)>),
    /// Have a message carried through a front end; go on when it is through.
    Message {
        /// Index into [`super::Plan::front_ends`].
        front_end: usize,
        /// Which way.
        way: Way,
    },
    /// Start another guest, which runs the program of a group once, and go on at once.
    Spawn {
        /// Index into [`super::Plan::guests`]; its arrival is [`super::Arrival::Spawned`].
        guest: usize,
    },
}

impl Step {
    /// Whether it, or a step inside it, enqueues on something.
    pub fn enqueues(&self) -> bool {
        match self {
            Step::Enq(_) | Step::Deq { .. } => true,
            Step::Repeat { steps, .. }
            | Step::RepeatMean { steps, .. }
            | Step::Hold { steps, .. }
            | Step::ThreadLock { steps, .. }
            | Step::Lock { steps, .. } => steps.iter().any(Step::enqueues),
            Step::Choose(choices) => choices.iter().any(|(_, steps)| steps.iter().any(Step::enqueues)),
            Step::Think(_)
            | Step::Compute(_)
            | Step::Pace(_)
            | Step::Intercept(_)
            | Step::Io(_)
            | Step::Exchange { .. }
            | Step::Message { .. }
            | Step::Spawn { .. } => false,
        }
    }
}

/// An ENQ of a program, and what is done until its DEQ.
#[derive(Clone, Debug, PartialEq)]
pub struct EnqStep {
    /// Index into [`super::Plan::enqueues`].
    pub enqueue: usize,
    /// How it is to be used.
    pub access: EnqueueAccess,
    /// What to do where it cannot be had at once: [`Ret::None`] and [`Ret::Have`] wait, [`Ret::Use`] goes on without it.
    /// [`Ret::Test`] takes nothing, and [`Ret::Change`] makes what is held around it, or kept, exclusive; both go past the
    /// steps where that cannot be.
    pub ret: Ret,
    /// The door that the request comes through.
    pub linkage: Linkage,
    /// The steps meanwhile; without steps the resource is kept until a DEQ or the end of the program.
    pub steps: Option<Vec<Step>>,
}

/// An I/O of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct IoPlan {
    /// Where it goes.
    pub choice: Choice,
    /// Its transfer, in bytes.
    pub bytes: u32,
    /// Which share of them are reads; the others are writes.
    pub reads: Percent,
}

impl IoPlan {
    /// Always a read of 4 KiB.
    pub fn reading(choice: Choice) -> IoPlan {
        IoPlan { choice, bytes: 4096, reads: Percent::new(100.0) }
    }

    /// Always a read of 4 KiB of this volume.
    pub fn of_volume(volume: usize) -> IoPlan {
        IoPlan::reading(Choice::Fixed(Target::Volume(volume)))
    }
}

/// Where an I/O goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A volume, index into [`super::Plan::volumes`].
    Volume(usize),
    /// A minidisk, index into [`super::Plan::minidisks`].
    Minidisk(usize),
}

/// How an I/O chooses where it goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Always there.
    Fixed(Target),
    /// Each equally likely.
    Uniform(Vec<Target>),
    /// Each with its weight, above zero.
    Weighted(Vec<(Target, f64)>),
    /// To that of the member of a resource which the requester holds.
    Own {
        /// Index into [`super::Plan::resources`]; the I/O is inside a hold of it.
        resource: usize,
        /// Each target belongs to its part of the members, in their order, by its weight above zero.
        weights: Vec<(Target, f64)>,
    },
}
