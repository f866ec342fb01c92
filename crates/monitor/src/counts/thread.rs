//! The counts of threads under Linux's fair scheduler, by group and by guest, in whole numbers.

use kernel::statistics::{Histogram, Tally, TimeAverage};
use machine::ids::Partition;
use machine::plan::{Plan, Processors};
use machine::signal::Threading;
use units::{Span, Tod};

/// Of groups and of guests; nothing where none are threads.
#[derive(Clone, Debug, Default)]
pub struct ThreadCounts {
    pub groups: Vec<GroupCounts>,
    pub guests: Vec<GuestCounts>,
}

/// Of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupCounts {
    pub runnable: TimeAverage,
    pub queues: TimeAverage,
    pub stopped: TimeAverage,
    pub periods: u64,
    pub throttled: u64,
    pub bursts: u64,
    pub over: u128,
}

/// Of a guest.
#[derive(Clone, Debug, Default)]
pub struct GuestCounts {
    pub wakes: Tally,
    pub spread: Histogram,
    pub longest: Span,
    pub migrations: u64,
}

impl ThreadCounts {
    pub fn new(plan: &Plan) -> Self {
        if groups(plan).next().is_none() {
            return ThreadCounts::default();
        }
        ThreadCounts {
            groups: vec![GroupCounts::default(); plan.partitions.len()],
            guests: vec![GuestCounts::default(); plan.guests.len()],
        }
    }

    pub fn signal(&mut self, now: Tod, partition: Partition, what: Threading) {
        let group = &mut self.groups[partition.index()];
        match what {
            Threading::Runnable(more) => group.runnable.change(now, more),
            Threading::Stopped { queues, threads } => {
                group.queues.change(now, queues);
                group.stopped.change(now, threads);
            }
            Threading::Period { throttled, over } => {
                group.periods += 1;
                group.throttled += u64::from(throttled);
                group.bursts += u64::from(!over.is_zero());
                group.over += u128::from(over.units());
            }
            Threading::Ran(guest, span) => {
                let guest = &mut self.guests[guest.index()];
                guest.wakes.add(span);
                guest.spread.add(span);
                guest.longest = guest.longest.max(span);
            }
            Threading::Migrated(guest) => self.guests[guest.index()].migrations += 1,
        }
    }

    pub fn reset(&mut self, now: Tod) {
        for group in &mut self.groups {
            for level in [&mut group.runnable, &mut group.queues, &mut group.stopped] {
                level.reset(now);
            }
            (group.periods, group.throttled, group.bursts, group.over) = (0, 0, 0, 0);
        }
        for guest in &mut self.guests {
            guest.spread.reset();
            (guest.wakes, guest.longest, guest.migrations) = (Tally::default(), Span::ZERO, 0);
        }
    }
}

/// The partitions of a plan that are groups of threads.
pub fn groups(plan: &Plan) -> impl Iterator<Item = (usize, &str)> {
    let all = plan.partitions.iter().enumerate();
    let groups = all.filter(|(_, partition)| matches!(partition.processors, Processors::Cgroup(_)));
    groups.map(|(number, partition)| (number, partition.name.as_str()))
}
