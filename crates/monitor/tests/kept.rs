//! Is what a run keeps as much as was estimated before it began?

use crate::plans::{closed, io, plan, volume};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::Plan;
use monitor::{Kept, MOST_KEPT, Measurement, replicate};
use units::Span;

fn one_volume() -> Plan {
    plan(vec![volume("A", Distribution::Constant(Span::from_ms(1)))], vec![closed(4, vec![io(0)])])
}

/// Cells that a simulated interval has, the numbers of its replication and itself included.
fn cells(plan: &Plan) -> usize {
    let (warm_up, interval, sample) = (Span::ZERO, Span::from_ms(10), Span::from_ms(1));
    let measurement = Measurement { warm_up, interval, intervals: 1, sample };
    let intervals = replicate(plan, &Streams::new(1, 0), &measurement, "kept", |_| true).expect("the laws hold");
    let tables = intervals[0].tables();
    tables.iter().flat_map(|table| &table.rows).map(|row| row.keys.len() + row.figures.len() + 2).sum()
}

#[test]
fn every_cell_of_an_interval_is_counted_before_one_is_simulated() {
    let plan = one_volume();
    let (none, bytes) = (Kept::of(&Plan::default()), Kept::of(&plan));
    let difference = bytes.bytes(1, 1) - none.bytes(1, 1);
    let cells = (cells(&plan) - cells(&Plan::default())) as u64;
    assert_eq!((difference % cells, difference / cells), (0, 72));
}

#[test]
fn as_many_fit_as_have_no_more_bytes_than_there_are() {
    let kept = Kept::of(&one_volume());
    let (replications, intervals) = (kept.most_replications(10_000), kept.most_intervals(10_000));
    assert!(kept.bytes(10_000, replications) <= MOST_KEPT && kept.bytes(10_000, replications + 1) > MOST_KEPT);
    assert!(kept.bytes(intervals, 10_000) <= MOST_KEPT && kept.bytes(intervals + 1, 10_000) > MOST_KEPT);
}
