//! A domain whose slice is a slot of a frame, and work that fits into the slot exactly: TDMA, and what becomes of it where
//! work may begin within a slot.
//!
//! Times are in slots of 1 ms.

use super::domains::one_in;
use super::trial::Trial;
use crate::plans::{open, plan};
use kernel::distribution::Distribution;
use machine::plan::{Plan, Step};
use units::Span;

const SLOT: Span = Span::from_ms(1);
const UNIT: Span = Span::from_units(1);

fn arrivals(per_slot: f64, program: Vec<Step>) -> Plan {
    plan(Vec::new(), vec![open(1e3 * per_slot, program)])
}

/// One packet for each frame of this many slots, sent in the sender's own slot from its start (Lam: Delay Analysis of a Time
/// Division Multiple Access (TDMA) Channel, 1977).
fn tdma(slots: u32, per_slot: f64) -> f64 {
    let slots = f64::from(slots);
    1.0 + slots / (2.0 * (1.0 - per_slot * slots))
}

/// The switch leaves the domain one unit of the TOD clock in each frame and a packet needs one: a gate through which one
/// packet passes, at one instant of the frame.  After it a packet is sent, which takes a slot.
#[test]
fn a_packet_waits_for_its_slot() {
    for (slots, busy, seconds) in [(2, 0.6, 30), (5, 0.3, 40), (5, 0.7, 150)] {
        let per_slot = busy / f64::from(slots);
        let program = vec![Step::Compute(Distribution::Constant(UNIT)), Step::Think(Distribution::Constant(SLOT))];
        let plan = one_in(arrivals(per_slot, program), slots, SLOT, SLOT - UNIT);
        let trial = Trial::run(&format!("TDMA, {slots} slots at {busy}"), &plan, seconds);
        trial.agrees("delay", |interval| interval.guests[0].cycle_ms.value, tdma(slots, per_slot));
    }
}

/// Work as long as a slot, which begins in the domain's slot, and is over in the next one at the same place.
///
/// Every job is through in the same frame as with TDMA, but 1 - u earlier: at the place u of the own slot at which an arrival
/// found the domain idle and began the busy period.  At each place busy periods end as often as they begin. So an idle
/// domain is found at all places of the slot alike, with probability 1 - lambda M. In a frame lambda (1 - lambda M) du busy
/// periods of 1 / (1 - lambda M) each begin, 1 / M du of all work.  On average that is 1 / 2M.
fn whole_slots(slots: u32, per_slot: f64) -> f64 {
    tdma(slots, per_slot) - 1.0 / (2.0 * f64::from(slots))
}

#[test]
fn work_that_may_begin_within_its_slot() {
    for (slots, busy, seconds) in [(2, 0.6, 30), (5, 0.3, 40), (5, 0.7, 150)] {
        let per_slot = busy / f64::from(slots);
        let plan = arrivals(per_slot, vec![Step::Compute(Distribution::Constant(SLOT))]);
        let trial = Trial::run(
            &format!("work of a slot, {slots} slots at {busy}"),
            &one_in(plan, slots, SLOT, Span::ZERO),
            seconds,
        );
        trial.agrees("delay", |interval| interval.guests[0].cycle_ms.value, whole_slots(slots, per_slot));
    }
}

/// Without queueing: a whole frame in the own slot, else half of the rest of the frame and the slot.
#[test]
fn with_hardly_any_arrivals() {
    for slots in [2, 5, 12] {
        let m = f64::from(slots);
        let alone = (m + (m - 1.0) * (1.0 + (m - 1.0) / 2.0)) / m;
        assert!((whole_slots(slots, 1e-9) - alone).abs() < 1e-6, "{slots} slots");
        assert!((tdma(slots, 1e-9) - (1.0 + m / 2.0)).abs() < 1e-6, "{slots} slots");
    }
}
