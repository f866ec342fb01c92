//! What several tables of a scenario must agree on: names, device numbers, pools, programs, totals.
//!
//! It leaves out what one value may be: that was checked when it was read.

mod changes;
mod devices;
mod measure;
mod names;
mod partitions;
mod pools;
mod population;
mod programs;
mod replays;
mod residents;
mod unused;

pub use changes::in_time;
pub use names::Names;

use crate::problems::Problems;
use crate::resolved::Table;

/// Checks the whole scenario and works out what it leaves open: numbers of aliases, the distance of samples.
pub fn scenario(root: &mut Table, problems: &mut Problems<'_>) -> Names {
    let names = Names::of(root, problems);
    names::references(root, &names, problems);
    devices::number(root, problems);
    partitions::check(root, problems);
    residents::check(root, &names, problems);
    pools::check(root, &names, problems);
    programs::check(root, problems);
    changes::check(root, &names, problems);
    population::check(root, problems);
    measure::work_out_sample(root);
    measure::check(root, problems);
    names
}

/// What is probably not meant, though it can be simulated.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    unused::check(root, warnings);
    residents::doubts(root, warnings);
    changes::doubts(root, warnings);
    replays::doubts(root, warnings);
    unused::sources(root, warnings);
}
