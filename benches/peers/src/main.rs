//! The two models of `make bench` in simcore and as flat loops, timed beside the engine.
//!
//!     peers flat|simcore closed|dispatch SEED MEASURED_S WARM_UP_S
//!
//! It prints what was done per simulated second after the warm-up, as JSON.

mod flat;
mod load;
mod simcore;

use load::{Length, Outcome};
use std::process::ExitCode;

fn run(arguments: &[String]) -> Option<Outcome> {
    let [side, model, seed, measured_s, warm_up_s] = arguments else { return None };
    let length = Length { measured_s: measured_s.parse().ok()?, warm_up_s: warm_up_s.parse().ok()? };
    let simulate = match (side.as_str(), model.as_str()) {
        ("flat", "closed") => flat::closed::simulate,
        ("flat", "dispatch") => flat::dispatch::simulate,
        ("simcore", "closed") => simcore::closed::simulate,
        ("simcore", "dispatch") => simcore::dispatch::simulate,
        _ => return None,
    };
    Some(simulate(seed.parse().ok()?, length))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(outcome) = run(&arguments) else {
        eprintln!("peers flat|simcore closed|dispatch SEED MEASURED_S WARM_UP_S");
        return ExitCode::from(2);
    };
    println!("{{\"operations_per_s\": {}, \"cycles_per_s\": {}}}", outcome.operations_per_s, outcome.cycles_per_s);
    ExitCode::SUCCESS
}
