//! Threads, the run queue of a group on a processor, and what each is charged for running.

use super::fair::{self, Competitor, Virtually};
use crate::ids::{Group, Requester};
use crate::plan::cfs::ThreadPlan;
use crate::signal::{Occupant, Standing};
use units::{Span, Tod};

/// A thread that wants to run.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// The competitor.
    pub requester: Requester,
    /// Whose program it runs.
    pub guest: Group,
    /// When it came; another may have had its place before.
    pub came: Tod,
    /// For how long it wants to.
    pub needs: Span,
    /// How it runs.
    pub plan: ThreadPlan,
}

/// A thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    pub plan: ThreadPlan,
    pub guest: Group,
    pub came: Tod,
    pub weight: u64,
    /// How far it is among the threads of its group on its processor.
    pub rank: Competitor,
    /// On which processor it was last, or is.
    pub last: Option<usize>,
    /// For how long it wants to run still.
    pub left: Span,
    /// The time that it spends before it goes on.
    pub spends: Span,
    /// Whether it has just made a call after which its scheduler looks again.
    pub called: bool,
    /// Since when it waits for its first run after it woke.
    pub woke: Option<Tod>,
}

impl Thread {
    /// A competitor without history.
    pub fn new(asking: &Asking) -> Self {
        Thread {
            plan: asking.plan,
            guest: asking.guest,
            came: asking.came,
            weight: asking.plan.weight(),
            rank: Competitor::default(),
            last: None,
            left: Span::ZERO,
            spends: Span::ZERO,
            called: false,
            woke: None,
        }
    }

    /// Whether it is the same that asks.
    pub fn is(&self, asking: &Asking) -> bool {
        (self.plan, self.guest, self.came) == (asking.plan, asking.guest, asking.came)
    }
}

/// The threads of a group that run or want to run on a processor.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub threads: Vec<Requester>,
    /// The sum of their weights.
    pub load: u64,
    /// How far the group is among the groups on this processor.
    pub rank: Competitor,
    /// Where the mean of its threads was last.
    pub floor: Virtually,
    /// Whether the limit of the group stops it here.
    pub stopped: bool,
    /// The last signal of its state.
    pub told: (Standing, Occupant),
}

impl Queue {
    pub fn new() -> Self {
        Queue {
            threads: Vec::new(),
            load: 0,
            rank: Competitor::default(),
            floor: 0,
            stopped: false,
            told: (Standing::Off, Occupant::Nobody),
        }
    }

    /// Whether it competes for the processor.
    pub fn competes(&self) -> bool {
        !self.threads.is_empty() && !self.stopped
    }

    /// The mean of its threads, or where it was last.
    pub fn mean(&self, threads: &[Thread]) -> Virtually {
        fair::mean(self.ranks(threads)).unwrap_or(self.floor)
    }

    /// Its threads as they compete.
    pub fn ranks<'t>(&self, threads: &'t [Thread]) -> impl Iterator<Item = (Competitor, u64)> + Clone + use<'t, '_> {
        self.threads.iter().map(|requester| {
            let thread = &threads[requester.index()];
            (thread.rank, thread.weight)
        })
    }

    pub fn add(&mut self, requester: Requester, weight: u64) {
        self.threads.push(requester);
        self.load += weight;
    }

    pub fn remove(&mut self, requester: Requester, threads: &[Thread]) {
        self.floor = self.mean(threads);
        let place = self.threads.iter().position(|own| *own == requester).expect("it is in its queue");
        self.threads.remove(place);
        self.load -= threads[requester.index()].weight;
    }
}
