//! How much memory the results of a run take, found out on a machine that was built and never started.

use crate::counts::monitor::Monitor;
use crate::laws::UnderWay;
use crate::totals::interval::Interval;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::plan::Plan;
use machine::world::World;
use units::{Span, Tod};

/// Bytes of a number or a name: in the totals, as an object in a column of Python, and in a frame.
///
/// Measured: 2.3 GB for 400,000 intervals of one volume and one guest, which have 87 such cells.
const OF_CELL: u64 = 72;
/// Bytes of a row in the log of contention, which has names of many tasks.
const OF_REQUEST: u64 = 4_096;

/// Bytes that the results of a run may take.
pub const MOST: u64 = 4 << 30;

/// How much of a run is kept until it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Bytes of an interval in every replication; all intervals as one have as many.
    pub interval: u64,
    /// Bytes more of an interval in the one replication whose logs are kept, at most.
    pub logged: u64,
}

impl Kept {
    /// The memory of a machine's intervals.
    pub fn of(plan: &Plan) -> Kept {
        let world: World<TreeCalendar, Monitor> = World::new(plan, &Streams::new(0, 0), Monitor::new(plan));
        let under_way = UnderWay::at(&world, plan);
        let interval = Interval {
            plan,
            exposures: &world.channel.exposures,
            counts: &world.probe,
            origin: Tod::START,
            end: Tod::START,
            length: Span::SECOND,
            events: 0,
            under_way: (&under_way, &under_way),
            contention: Vec::new(),
        };
        let totals = interval.totals("");
        let tables = totals.tables();
        let cells = tables.iter().map(|rows| rows.rows.len() * (rows.table.keys.len() + rows.table.counters.len() + 2));
        let asking = if plan.enqueues.is_empty() { 0 } else { world.guests.closed() };
        Kept { interval: cells.sum::<usize>() as u64 * OF_CELL, logged: asking as u64 * OF_REQUEST }
    }

    /// Bytes of this many intervals in each of this many replications.
    pub fn bytes(&self, intervals: u64, replications: u64) -> u64 {
        let rows = intervals.saturating_add(u64::from(intervals > 1)).saturating_mul(replications);
        self.interval.saturating_mul(rows).saturating_add(self.logged.saturating_mul(intervals))
    }

    /// How many replications of this many intervals fit.
    pub fn most_replications(&self, intervals: u64) -> u64 {
        let logged = self.logged.saturating_mul(intervals);
        let rows = intervals.saturating_add(u64::from(intervals > 1));
        MOST.saturating_sub(logged) / self.interval.saturating_mul(rows).max(1)
    }

    /// How many intervals fit in each of this many replications.
    pub fn most_intervals(&self, replications: u64) -> u64 {
        MOST.saturating_sub(self.interval.saturating_mul(replications)) / self.bytes(1, replications).max(1)
    }
}
