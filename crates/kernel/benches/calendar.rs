//! The cost of an event in the pending-event set alone, by the hold model: take the earliest and put it back later.  It
//! compares the tournament tree, its oracle, and a standard binary heap of event structs.

use kernel::calendar::{Calendar, HeapCalendar, Slot, TreeCalendar};
use kernel::draw::Streams;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;
use units::{Span, Tod};

const PENDING: [usize; 2] = [100, 10_000];
const HOLDS: usize = 4_000_000;
const ROUNDS: usize = 5;

/// A pending-event set that can hold: take the earliest event and schedule it again `increment` later.
trait Hold {
    fn with_pending(pending: usize, increments: &[Span]) -> Self;
    fn hold(&mut self, increment: Span) -> Tod;
}

struct Slots<C>(C);

impl<C: Calendar> Hold for Slots<C> {
    fn with_pending(pending: usize, increments: &[Span]) -> Self {
        let mut calendar = C::with_slots(pending);
        for (slot, increment) in increments.iter().cycle().take(pending).enumerate() {
            calendar.set(slot as Slot, Tod::START + *increment);
        }
        Slots(calendar)
    }

    #[inline]
    fn hold(&mut self, increment: Span) -> Tod {
        let (now, slot) = self.0.begin_by(Tod::NEVER).expect("one is always pending");
        self.0.set(slot, now + increment);
        self.0.end();
        now
    }
}

/// The usual event of a simulator: its instant, its order of insertion, its action and its object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    at: Tod,
    added: u64,
    kind: u64,
    target: u64,
}

struct Heap {
    events: BinaryHeap<Reverse<Event>>,
    added: u64,
}

impl Hold for Heap {
    fn with_pending(pending: usize, increments: &[Span]) -> Self {
        let events = increments.iter().cycle().take(pending).enumerate();
        let events = events.map(|(added, increment)| {
            let added = added as u64;
            Reverse(Event { at: Tod::START + *increment, added, kind: added % 3, target: added })
        });
        Heap { events: events.collect(), added: pending as u64 }
    }

    #[inline]
    fn hold(&mut self, increment: Span) -> Tod {
        let Reverse(event) = self.events.pop().expect("a held event is put back");
        self.added += 1;
        self.events.push(Reverse(Event { at: event.at + increment, added: self.added, ..event }));
        event.at
    }
}

/// The median cost of a hold in ns.
fn nanoseconds<H: Hold>(pending: usize, increments: &[Span]) -> f64 {
    let mut costs: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let mut held = H::with_pending(pending, increments);
            let started = Instant::now();
            for increment in increments.iter().cycle().take(HOLDS) {
                black_box(held.hold(*increment));
            }
            started.elapsed().as_secs_f64() * 1e9 / HOLDS as f64
        })
        .collect();
    costs.sort_by(f64::total_cmp);
    costs[ROUNDS / 2]
}

fn main() {
    let mut draw = Streams::new(1, 0).stream("increments");
    let increments: Vec<Span> =
        (0..65_536).map(|_| Span::from_units((draw.exponential() * 4_096_000.0) as u64)).collect();
    println!("The hold model, ns an event, median of {ROUNDS}");
    println!("{:>10}  {:>15}  {:>15}  {:>15}", "pending", "tournament tree", "oracle heap", "heap of structs");
    for pending in PENDING {
        println!(
            "{pending:>10}  {:>15.1}  {:>15.1}  {:>15.1}",
            nanoseconds::<Slots<TreeCalendar>>(pending, &increments),
            nanoseconds::<Slots<HeapCalendar>>(pending, &increments),
            nanoseconds::<Heap>(pending, &increments),
        );
    }
}
