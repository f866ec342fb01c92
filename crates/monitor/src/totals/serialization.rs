//! Totals of ENQ and DEQ: a row per resource, and a row per partition with guests that enqueue.

use super::interval::{Interval, mean_of, mean_us, ratio};
use crate::counts::enqueue::EnqueueCounts;
use crate::counts::serialization::ServiceCounts;
use kernel::statistics::mean_ms;
use machine::plan::{EnqueuePlan, PartitionPlan, Step};
use machine::serialization::Piece;
use machine::signal::Request;
use measures::{EnqueueTotals, Figure, SerializationTotals};
use units::Span;

impl Interval<'_> {
    pub(super) fn enqueues(&self) -> Vec<EnqueueTotals> {
        let rows = self.plan.enqueues.iter().zip(&self.counts.enqueues);
        rows.map(|(plan, counts)| self.enqueue(plan, counts)).collect()
    }

    fn enqueue(&self, plan: &EnqueuePlan, counts: &EnqueueCounts) -> EnqueueTotals {
        let ms = |span: Span| Figure::exact(span.ms());
        let count = |count: u32| Figure::exact(f64::from(count));
        let lengths = counts.lengths(self.end);
        let contended: u128 = lengths.iter().sum();
        let share = |length: usize| ratio(100.0 * lengths[length] as f64, contended as f64);
        EnqueueTotals {
            enqueue: plan.name.clone(),
            qname: plan.qname.clone(),
            rname: plan.rname.clone(),
            scope: plan.scope.word().to_string(),
            members: u64::from(plan.members),
            requests_per_s: self.per_s(counts.at_once + counts.awaited + counts.refused),
            contended_per_s: self.per_s(counts.awaited),
            refused_per_s: self.per_s(counts.refused),
            released_per_s: self.per_s(counts.holds.count()),
            changed_per_s: self.per_s(counts.changed),
            tested_per_s: self.per_s(counts.tested),
            contentions: Figure::exact(counts.contentions as f64),
            contention_min_ms: counts.shortest.map_or(Figure::UNKNOWN, ms),
            contention_max_ms: ms(counts.longest),
            contention_total_ms: Figure::exact(mean_ms(contended, 1)),
            contention_mean_ms: mean_of(&counts.ended),
            queue_1_percent: share(0),
            queue_2_percent: share(1),
            queue_3_percent: share(2),
            queue_4_percent: share(3),
            queue_depth: Figure::exact(counts.waiters.mean(self.end, self.length)),
            owners: Figure::exact(counts.owners.mean(self.end, self.length)),
            wait_ms: mean_of(&counts.waits),
            longest_wait_ms: ms(counts.longest_wait),
            held_ms: mean_of(&counts.holds),
            exclusive_waiters_max: count(counts.most[0]),
            shared_waiters_max: count(counts.most[1]),
            owners_at_end: count(counts.owners.level()),
            waiters_at_end: count(counts.waiters.level()),
        }
    }

    pub(super) fn serialization(&self) -> Vec<SerializationTotals> {
        let rows = self.plan.partitions.iter().zip(&self.counts.services).enumerate();
        let rows = rows.filter(|(number, _)| self.enqueues_in(*number));
        rows.map(|(_, (plan, counts))| self.service(plan, counts)).collect()
    }

    /// Whether a guest that runs in a partition enqueues on anything.
    fn enqueues_in(&self, partition: usize) -> bool {
        let own = |guest: &&machine::plan::GuestPlan| guest.runs_in.and_then(|own| own.partition()) == Some(partition);
        self.plan.guests.iter().filter(own).any(|guest| guest.program.iter().any(Step::enqueues))
    }

    fn service(&self, plan: &PartitionPlan, counts: &ServiceCounts) -> SerializationTotals {
        let [enqs, deqs] = [&counts.over[0], &counts.over[1]].map(|tally| tally.count());
        let over = |request| mean_us(counts.over(request).sum(), counts.over(request).count());
        let both = |one: Figure, other: Figure| {
            // What is unknown stays so to the bit: arithmetic may turn the sign of what is not a number.
            if one.is_known() && other.is_known() { one.plus(other) } else { Figure::UNKNOWN }
        };
        let piece = |piece: Piece| mean_us(counts.spent[piece as usize], deqs);
        let calls = |point: usize| ratio(counts.calls[point] as f64, deqs as f64);
        let waits = &counts.waits;
        SerializationTotals {
            enq_per_s: self.per_s(enqs),
            deq_per_s: self.per_s(deqs),
            pairs_per_s: self.per_s(deqs),
            global_per_s: self.per_s(counts.delays.count()),
            elapsed_us_per_pair: both(over(Request::Enq), over(Request::Deq)),
            cpu_us_per_pair: mean_us(counts.spent(), deqs),
            cpu_percent: Figure::exact(100.0 * self.share(counts.spent()).value),
            base_us: piece(Piece::Base),
            front_end_us: piece(Piece::FrontEnd),
            fast_us: piece(Piece::Fast),
            slow_us: piece(Piece::Slow),
            storage_us: piece(Piece::Storage),
            message_us: piece(Piece::Message),
            lock_per_s: self.per_s(counts.takes()),
            lock_held_percent: Figure::exact(100.0 * counts.held.mean(self.end, self.length)),
            lock_held_us: mean_us(counts.holds.sum(), counts.holds.count()),
            lock_contended_percent: ratio(100.0 * waits.count() as f64, counts.takes() as f64),
            lock_wait_us: mean_us(waits.sum(), counts.takes()),
            lock_waiting: Figure::exact(counts.waiting.mean(self.end, self.length)),
            delay_ms: mean_of(&counts.delays),
            nqxitfast_per_pair: calls(0),
            nqxit_per_pair: calls(1),
            prebatch_per_pair: calls(2),
            batch_per_pair: calls(3),
            batchcnd_per_pair: calls(4),
            queued1_per_pair: calls(5),
            queued2_per_pair: calls(6),
            endoflqcb_per_pair: calls(7),
            exits_removed: Figure::exact(counts.removed as f64),
            ..SerializationTotals::unknown(plan.name.clone())
        }
    }
}
