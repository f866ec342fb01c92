//! How much a scenario may hold: volumes and guests.
//!
//! It leaves out devices, whose numbers set their own limit.

use crate::language::{COUNT, GUESTS, MOST_GUESTS, VOLUMES};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// The most volumes.
const MOST_VOLUMES: usize = 10_000;

/// Checks both.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    let volumes = root.tables(&VOLUMES);
    if let Some(first) = volumes.get(MOST_VOLUMES) {
        let problem = Problem::new(format!("{} volumes", volumes.len()))
            .key(first.title())
            .because("more do not fit the memory that a run is promised to stay within")
            .allowed(["up to 10,000 volumes"]);
        problems.add(first.at, problem);
    }
    let guests = root.tables(&GUESTS);
    let mut total: u64 = 0;
    let size = |guest: &Table| u64::from(guest.count(&COUNT).unwrap_or(1));
    let Some(first) = guests.iter().find(|guest| {
        total += size(guest);
        total > u64::from(MOST_GUESTS)
    }) else {
        return;
    };
    let problem = Problem::new(format!("{} guests in all", guests.iter().map(size).sum::<u64>()))
        .key(first.path(&COUNT))
        .because("more do not fit the memory that a run is promised to stay within")
        .allowed(["up to 100,000 guests in all"]);
    problems.add(first.at(&COUNT), problem);
}
