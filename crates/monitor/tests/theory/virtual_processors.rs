//! A control program that costs nothing: logical processors serve virtual ones as the servers of a queue serve customers.

use super::closed_forms::{mg1_wait, mmc_queue, ps_response, repairman};
use super::trial::Trial;
use crate::plans::virtual_machines::{free, machines, under};
use crate::plans::{closed, exponential, open};
use kernel::distribution::Distribution;
use machine::plan::{ControlProgramPlan, Method, Polarization, SrmPlan, Stealing, Step};
use units::Span;

fn think(us: u64) -> Step {
    Step::Think(exponential(us))
}

fn compute(us: u64) -> Step {
    Step::Compute(exponential(us))
}

fn sliced(us: u64) -> ControlProgramPlan {
    let free = free();
    ControlProgramPlan { srm: SrmPlan { slice: Span::from_us(us), ..free.srm }, ..free }
}

/// However they are sliced, exponential bursts go on being exponential: M/M/c//N.
#[test]
#[ignore = "slow: run by make test-all"]
fn virtual_processors_that_think_are_the_machines_of_a_repairman() {
    for (processors, virtuals, think_us, slice_us, seconds) in
        [(1, 5, 4_000, 5_000, 60), (4, 12, 2_500, 300, 25), (32, 104, 1_000, 400, 4)]
    {
        let guests = closed(virtuals, vec![think(think_us), compute(1_000)]);
        let plan = under(sliced(slice_us), processors, [(machines(virtuals, 1), guests)]);
        let trial = Trial::run(&format!("virtual processors, M/M/{processors}//{virtuals}"), &plan, seconds);
        let theory = repairman(processors, virtuals, think_us as f64 / 1e3, 1.0);
        trial.agrees("bursts per ms", |interval| interval.guests[0].cycles_per_s.value / 1e3, theory.throughput);
        trial.agrees("response", |interval| interval.guests[0].compute_ms.value, theory.response);
        trial.agrees("waiting", |interval| interval.control_programs[0].ready.value, theory.waiting);
    }
}

/// In a machine with a virtual processor for each guest it does not matter which guest runs on which.
#[test]
#[ignore = "slow: run by make test-all"]
fn arrivals_in_a_machine_with_many_virtual_processors_are_served_like_customers() {
    for (processors, busy, seconds) in [(1, 0.6, 80), (2, 0.7, 50), (4, 0.75, 25)] {
        let load = busy * f64::from(processors);
        let plan = under(sliced(700), processors, [(machines(1, 64), open(1e3 * load, vec![compute(1_000)]))]);
        let trial = Trial::run(&format!("virtual processors, M/M/{processors} at {busy}"), &plan, seconds);
        let queue = mmc_queue(processors, load);
        trial.agrees("response", |interval| interval.guests[0].cycle_ms.value, 1.0 + queue / load);
        trial.agrees("number", |interval| interval.guests[0].population.value, load + queue);
        trial.agrees("guests", |i| i.control_programs[0].guests_percent.value, 100.0 * load);
    }
}

/// A machine with fewer virtual processors than there are logical ones is a queue with that many servers.
#[test]
fn a_machine_has_as_many_servers_as_virtual_processors() {
    let load = 1.4;
    let plan = under(free(), 8, [(machines(1, 2), open(1e3 * load, vec![compute(1_000)]))]);
    let trial = Trial::run("two virtual processors on eight, M/M/2", &plan, 50);
    trial.agrees("response", |interval| interval.guests[0].cycle_ms.value, 1.0 + mmc_queue(2, load) / load);
    let (arrivals, servers) = (open(1e3 * load, vec![compute(1_000)]), machines(2, 1));
    let trial = Trial::run("two machines by turns, each E2/M/1", &under(free(), 8, [(servers, arrivals)]), 50);
    // The least root of s = E2(1 - s), where E2 is the transform of two stages of arrivals (Kleinrock I, 6.23).
    let share = (0..200).fold(0.5, |s: f64, _| (load / (load + 1.0 - s)).powi(2));
    trial.agrees("response", |interval| interval.guests[0].cycle_ms.value, 1.0 / (1.0 - share));
}

/// Round robin in small slices tends to processor sharing, where only the means of bursts matter: of a station whose n
/// customers have min(1, c/n) of a processor each (Kelly, 3.3), and of M/G/1 (Kleinrock II, 4.17).  Slices of a fiftieth
/// of a burst come within 2 %; without slices the same bursts are far from it.
#[test]
#[ignore = "slow: run by make test-all"]
fn small_slices_share_processors() {
    let mean = Span::from_us(1_000);
    let kinds = [
        ("constant", Distribution::Constant(mean)),
        ("hyperexponential", Distribution::Hyperexponential { mean, scv: 4.0 }),
    ];
    for (name, bursts) in kinds {
        let waiting = |slice_us: u64| {
            let program = vec![think(3_000), Step::Compute(bursts)];
            let plan = under(sliced(slice_us), 2, [(machines(10, 1), closed(10, program))]);
            let trial = Trial::run(&format!("slices of {slice_us} us, 10 on 2, bursts {name}"), &plan, 6);
            mean_of(&trial.of(|interval| interval.control_programs[0].ready.value))
        };
        let (shared, whole, theory) = (waiting(20), waiting(100_000), repairman(2, 10, 3.0, 1.0).waiting);
        println!("bursts {name}: {shared} wait, {whole} without slices, {theory} where processors are shared");
        assert!((shared / theory - 1.0).abs() < 0.02, "bursts {name}: {shared} and {theory}");
        assert!((whole / theory - 1.0).abs() > 0.05, "bursts {name}, without slices: {whole} and {theory}");
    }
    let constant = open(600.0, vec![Step::Compute(Distribution::Constant(mean))]);
    let trial = Trial::run("small slices, M/D/1", &under(sliced(20), 1, [(machines(1, 64), constant)]), 10);
    let (seen, theory) = (mean_of(&trial.of(|interval| interval.guests[0].cycle_ms.value)), ps_response(0.6, 1.0));
    println!("M/D/1: {seen} and {theory}; first come, first served {}", 1.0 + mg1_wait(0.6, 1.0, 0.0));
    assert!((seen / theory - 1.0).abs() < 0.02, "{seen} and {theory}");
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A vector for each processor, without stealing: each processor is a repairman for those that were placed there.
#[test]
fn a_vector_of_ones_own_is_a_queue_of_ones_own() {
    let (free, each, processors) = (free(), 5, 4);
    let srm = SrmPlan { polarization: Polarization::Vertical, method: Method::Reshuffle, ..free.srm };
    let pinned = ControlProgramPlan { srm, vertical: Stealing::Near, barriers: [1_000; 3], ..free };
    let virtuals = each * processors;
    let guests = closed(virtuals, vec![think(4_000), compute(1_000)]);
    let plan = under(pinned, processors, [(machines(virtuals, 1), guests)]);
    let trial = Trial::run("pinned, four times M/M/1//5", &plan, 30);
    let theory = repairman(1, each, 4.0, 1.0);
    let own = f64::from(processors);
    trial.agrees("bursts per ms", |i| i.guests[0].cycles_per_s.value / 1e3, own * theory.throughput);
    trial.agrees("waiting", |interval| interval.control_programs[0].ready.value, own * theory.waiting);
    for number in 0..processors as usize {
        let depth = |interval: &measures::IntervalTotals| interval.control_processors[number].vector_depth.value;
        trial.agrees(&format!("depth of vector {number}"), depth, theory.waiting);
    }
}
