//! Agreement between the tables of a scenario: names, device numbers, pools, programs, cycles of waits, totals.

mod cgroups;
mod changes;
mod channels;
mod classes;
mod control_programs;
mod cycles;
mod devices;
mod dispatcher;
mod enqueues;
mod exchanges;
mod exits;
mod front_ends;
mod io_limits;
mod lpar_groups;
mod measure;
mod names;
mod online;
mod orders;
mod paging;
mod partitions;
mod pools;
mod population;
mod programs;
mod replays;
mod residents;
mod resources;
mod rmf;
mod roster;
mod spawning;
mod spin_locks;
mod spinning;
mod srm;
mod steps;
mod thread_locks;
mod topology;
mod unused;
mod virtual_machines;
mod worked_out;

pub use changes::in_time;
pub use control_programs::polarization;
pub use names::Names;

use crate::problems::Problems;
use crate::resolved::Table;

/// Checks the whole scenario and works out what it leaves open: numbers of aliases, the distance of samples, jitter.
pub fn scenario(root: &mut Table, problems: &mut Problems<'_>) -> Names {
    let names = Names::of(root, problems);
    names::write_out(root, &names, problems);
    names::references(root, &names, problems);
    devices::number(root, problems);
    classes::work_out(root, &names, problems.text());
    classes::check(root, problems);
    dispatcher::work_out(root);
    dispatcher::settle(root);
    control_programs::settle(root);
    thread_locks::settle(root);
    dispatcher::check(root, problems);
    partitions::check(root, problems);
    cgroups::check(root, problems);
    topology::work_out_beyond(root);
    topology::check(root, problems);
    control_programs::check(root, &names, problems);
    virtual_machines::work_out_shares(root);
    virtual_machines::check(root, &names, problems);
    spinning::work_out(root, problems.text());
    spinning::check(root, problems);
    channels::work_out(root, problems.text());
    channels::check(root, problems);
    io_limits::check(root, problems);
    rmf::work_out_jitter(root);
    rmf::check(root, problems);
    front_ends::check(root, &names, problems);
    residents::check(root, &names, problems);
    paging::check(root, &names, problems);
    pools::check(root, &names, problems);
    programs::check(root, problems);
    resources::check(root, &names, problems);
    spin_locks::check(root, &names, problems);
    thread_locks::check(root, problems);
    enqueues::check(root, &names, problems);
    exits::check(root, &names, problems);
    spawning::check(root, &names, problems);
    exchanges::check(root, &names, problems);
    changes::check(root, &names, problems);
    online::check(root, &names, problems);
    srm::check(root, &names, problems);
    roster::check(root, &names, problems);
    population::check(root, problems);
    measure::work_out_sample(root);
    measure::check(root, problems);
    names
}

/// Probable mistakes in a scenario that can be simulated.
pub fn doubts(root: &Table, names: &Names, warnings: &mut Problems<'_>) {
    unused::check(root, warnings);
    classes::doubts(root, warnings);
    topology::doubts(root, warnings);
    control_programs::doubts(root, warnings);
    virtual_machines::doubts(root, warnings);
    residents::doubts(root, warnings);
    cgroups::doubts(root, warnings);
    lpar_groups::doubts(root, warnings);
    resources::doubts(root, warnings);
    enqueues::doubts(root, warnings);
    exits::doubts(root, warnings);
    orders::doubts(root, names, warnings);
    front_ends::doubts(root, warnings);
    spinning::doubts(root, warnings);
    thread_locks::doubts(root, warnings);
    spawning::doubts(root, warnings);
    exchanges::doubts(root, warnings);
    rmf::doubts(root, warnings);
    changes::doubts(root, warnings);
    replays::doubts(root, warnings);
    unused::sources(root, warnings);
}
