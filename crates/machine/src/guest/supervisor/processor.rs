//! A logical processor: what it is doing, how much of that is left, and whether a physical processor carries it.

use crate::effect::{Outbox, Wanted};
use crate::event::Event;
use crate::ids::{Exposure, Logical, Partition, Requester};
use crate::signal::{Occupant, Probe, Signal, Standing};
use units::{Span, Tod};

/// A requester that needs a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The guest.
    pub requester: Requester,
    /// For how long still.
    pub left: Span,
    /// How urgent: 0 goes first.
    pub rank: usize,
}

/// The activity of a logical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Idle.
    None,
    /// Work of a guest.
    Job(Job),
    /// An interrupt, and the guest that it interrupted.
    Interrupt {
        /// Whose I/O ended.
        exposure: Exposure,
        /// The interrupted guest.
        interrupted: Option<Job>,
    },
    /// A requester is through, and has not said whether it goes on.
    Leaving(Requester),
}

/// Whether a physical processor carries a logical one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carriage {
    Off,
    /// Off, and it has been said that it has something to do.
    Called,
    On,
}

/// A logical processor.
#[derive(Clone, Copy, Debug)]
pub struct LogicalState {
    /// Whose it is.
    pub partition: Partition,
    /// Whether it is enabled for I/O interrupts while it has work.
    pub enabled: bool,
    /// Whether it is online, or takes no work any more.
    pub online: bool,
    /// Its activity.
    pub work: Work,
    carriage: Carriage,
    /// Since when `left` counts down, while it is carried and has work.
    since: Tod,
    /// How much of its work is left.
    left: Span,
    /// What the first work of each slice loses: storage that others have pushed out of the caches.
    reload: Span,
    /// The loss of the next work.
    cold: Span,
}

impl LogicalState {
    pub(super) fn new(partition: Partition, enabled: bool, reload: Span) -> Self {
        let (since, left, cold) = (Tod::START, Span::ZERO, Span::ZERO);
        let online = true;
        LogicalState {
            partition,
            enabled,
            online,
            work: Work::None,
            carriage: Carriage::Off,
            since,
            left,
            reload,
            cold,
        }
    }

    /// Whether a physical processor carries it.
    pub fn is_carried(&self) -> bool {
        self.carriage == Carriage::On
    }

    /// Whether it is carried, has work, and would take an interrupt.
    pub(super) fn can_be_interrupted(&self) -> bool {
        self.is_carried() && self.enabled && matches!(self.work, Work::Job(_))
    }

    /// Whether it is dispatched and runs a less urgent guest.
    pub(super) fn runs_less_urgent_than(&self, rank: usize) -> bool {
        self.is_carried() && matches!(self.work, Work::Job(job) if job.rank > rank)
    }

    pub(super) fn rank(&self) -> Option<usize> {
        match self.work {
            Work::Job(job) => Some(job.rank),
            Work::None | Work::Interrupt { .. } | Work::Leaving(_) => None,
        }
    }

    /// It has other work from now on, while it is carried; says when that is over.
    pub(super) fn begin(&mut self, work: Work, needs: Span, now: Tod) -> Tod {
        (self.work, self.left, self.since) = (work, needs + self.cold, now);
        self.cold = Span::ZERO;
        now + self.left
    }

    /// Stops the job that it runs, with what is left of it.
    pub(super) fn take_job(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox) -> Job {
        let Work::Job(job) = self.work else { unreachable!("only a guest's work is taken away") };
        self.catch_up(now);
        effects.never(Event::Work(logical));
        self.work = Work::None;
        Job { left: self.left, ..job }
    }

    pub(super) fn carried(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox) {
        assert!(!self.is_carried(), "a logical processor is on one physical processor");
        self.carriage = Carriage::On;
        self.since = now;
        self.cold = self.reload;
        if self.has_work() {
            self.left += self.cold;
            self.cold = Span::ZERO;
            effects.at(Event::Work(logical), now + self.left);
        }
    }

    pub(super) fn dropped(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox) {
        if self.has_work() {
            self.catch_up(now);
            effects.never(Event::Work(logical));
        }
        self.carriage = Carriage::Off;
    }

    /// Whether it is off, has nothing to do, and has not been signalled any work.
    pub(super) fn may_be_called(&self) -> bool {
        self.online && self.carriage == Carriage::Off && self.work == Work::None
    }

    /// It takes no work any more, and gives up the job that it has, carried or not.
    pub(super) fn goes_offline(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox) -> Option<Job> {
        self.online = false;
        if self.carriage == Carriage::Called {
            self.carriage = Carriage::Off;
        }
        match self.work {
            Work::Job(_) if self.is_carried() => Some(self.take_job(logical, now, effects)),
            Work::Job(job) => {
                self.work = Work::None;
                Some(Job { left: self.left, ..job })
            }
            Work::None | Work::Interrupt { .. } | Work::Leaving(_) => None,
        }
    }

    /// Says that it is wanted while it is not carried.
    pub(super) fn call(&mut self, logical: Logical, wanted: Wanted, effects: &mut impl Outbox) {
        self.carriage = Carriage::Called;
        effects.wants(logical, wanted);
    }

    /// Whether it would take an interrupt if it were carried.
    pub(super) fn would_be_interrupted(&self) -> bool {
        match self.work {
            Work::None => self.online,
            Work::Job(_) => self.enabled,
            Work::Interrupt { .. } | Work::Leaving(_) => false,
        }
    }

    fn catch_up(&mut self, now: Tod) {
        self.left = self.left - (now - self.since);
        self.since = now;
    }

    pub(super) fn has_work(&self) -> bool {
        match self.work {
            Work::Job(_) | Work::Interrupt { .. } => true,
            Work::None | Work::Leaving(_) => false,
        }
    }

    /// Signals its state, and its guest.
    pub(super) fn tell(&self, logical: Logical, now: Tod, probe: &mut impl Probe) {
        let standing = match (self.is_carried(), self.work) {
            (true, Work::Job(_) | Work::Leaving(_)) => Standing::Working,
            (true, Work::Interrupt { .. }) => Standing::Interrupted,
            (true, Work::None) => Standing::Waiting,
            (false, Work::None) => Standing::Off,
            (false, _) => Standing::Pending,
        };
        let occupant = match self.work {
            Work::None => Occupant::Nobody,
            Work::Job(Job { requester, .. }) | Work::Leaving(requester) => Occupant::Requester(requester),
            Work::Interrupt { exposure, .. } => Occupant::Handler(exposure),
        };
        probe.signal(now, Signal::Stands(logical, standing, occupant));
    }
}
