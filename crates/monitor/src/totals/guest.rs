//! Totals of guests.

use super::interval::{Interval, mean, mean_of, quantile};
use measures::{Figure, GuestTotals};

impl Interval<'_> {
    pub(super) fn guests(&self) -> Vec<GuestTotals> {
        let rows = self.plan.guests.iter().zip(&self.counts.groups);
        rows.map(|(plan, counts)| {
            let cycles = counts.cycles.count();
            let per_cycle = |sum: u128| mean(sum, cycles);
            let quantile = |share| quantile(&counts.cycles, share);
            let ios = counts.response.count() + counts.avoided.count();
            let [_, _, turn, avoided, response, resource, message, spin, _] = counts.spans();
            let all: u128 = counts.spans().iter().sum();
            GuestTotals {
                guest: plan.name.clone(),
                population: Figure::exact(counts.present.mean(self.end, self.length)),
                cycles_per_s: self.per_s(cycles),
                io_per_s: self.per_s(ios),
                think_ms: per_cycle(counts.think.sum()),
                compute_ms: per_cycle(counts.compute.sum()),
                response_ms: mean(turn + avoided + response, ios),
                resource_wait_ms: per_cycle(resource),
                message_ms: per_cycle(message),
                spin_ms: per_cycle(spin),
                exchanges_per_s: self.per_s(counts.exchange.count()),
                exchange_ms: mean_of(&counts.exchange),
                transaction_ms: per_cycle(all - counts.think.sum()),
                cycle_ms: per_cycle(all),
                cycle_p50_ms: quantile(0.5),
                cycle_p90_ms: quantile(0.9),
                cycle_p95_ms: quantile(0.95),
                cycle_p99_ms: quantile(0.99),
            }
        })
        .collect()
    }
}
