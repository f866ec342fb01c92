//! The cost to settle a request with name lists of 10, 100 and 10,000 entries, each kind alone.

use serialization::name_list::{Asked, Entry, Kind, List, NameLists};
use serialization::{ResourceName, Scope};
use std::hint::black_box;
use std::time::Instant;

const ENTRIES: [usize; 3] = [10, 100, 10_000];
const REQUESTS: usize = 2_000_000;
const ROUNDS: usize = 5;
const NAMES: usize = 2_000;

/// Data set names of equal length; the entries are every other one, so that half of the requests are found.
fn rname(number: usize) -> Vec<u8> {
    format!("PROD.APPL{:02}.D{number:06}.MASTER", number % 100).into_bytes()
}

fn lists(kind: Kind, count: usize) -> NameLists {
    let made = (0..count).map(|number| {
        let rname = rname(2 * number);
        let rname = match kind {
            Kind::Specific => rname,
            Kind::Generic => rname[..rname.len() - 3 + number % 3].to_vec(),
            Kind::Pattern => [&rname[..rname.len() - 6], b"*"].concat(),
        };
        Entry::new(List::Exclusion, kind, b"SYSDSN", Some(&rname)).expect("an entry")
    });
    NameLists::new(made.collect())
}

/// The fastest of the rounds, in nanoseconds a request.
fn nanoseconds(lists: &NameLists, names: &[ResourceName], requests: usize) -> f64 {
    let round = || {
        let start = Instant::now();
        let global = (0..requests).filter(|at| {
            let outcome = lists.settle(Asked::Enq(Scope::Systems), black_box(&names[at % names.len()]));
            outcome.scope == Scope::Systems
        });
        black_box(global.count());
        start.elapsed().as_secs_f64() * 1e9 / requests as f64
    };
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("{:9} {:>8} {:>12} {:>8}", "kind", "entries", "ns/request", "ratio");
    for kind in Kind::ALL {
        let mut first = None;
        for count in ENTRIES {
            // As many names in memory for every list, so that the list alone makes the difference.
            let names: Vec<ResourceName> = (0..NAMES)
                .map(|at| at % (2 * count) * (count / NAMES).max(1))
                .map(|number| ResourceName::new(b"SYSDSN", &rname(number)).expect("a name"))
                .collect();
            let requests = if kind == Kind::Pattern { (REQUESTS / count).max(NAMES) } else { REQUESTS };
            let cost = nanoseconds(&lists(kind, count), &names, requests);
            let ratio = cost / *first.get_or_insert(cost);
            println!("{:9} {count:8} {cost:12.1} {ratio:8.2}", kind.word());
        }
    }
}
