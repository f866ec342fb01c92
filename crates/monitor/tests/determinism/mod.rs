//! Determinism: the same plan and seed give the same bytes, whatever calendar, observer, slicing of the run or number of
//! threads.

mod calendars;
mod control_programs;
pub mod machines;
mod observers;
mod threads;

use machine::plan::Plan;

/// Every machine with its name.
fn all_machines() -> Vec<(&'static str, Plan)> {
    [machines::machines(), control_programs::with_control_programs()].concat()
}
