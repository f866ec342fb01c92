//! Threads that really run on this machine: burners and waiters under a CPU limit, threads that share a lock, threads
//! that read a file, and threads that call the system.
//!
//! Linux only.

#[cfg(target_os = "linux")]
mod burner;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod contention;
#[cfg(target_os = "linux")]
mod control_group;
#[cfg(target_os = "linux")]
mod costs;
#[cfg(target_os = "linux")]
mod lock;
#[cfg(target_os = "linux")]
mod permits;
#[cfg(target_os = "linux")]
mod read;
#[cfg(target_os = "linux")]
mod reading;
#[cfg(target_os = "linux")]
mod session;
mod setup;
#[cfg(target_os = "linux")]
mod waiter;

pub use setup::{Gap, Outcome, Seen, Setup, Start, Wait, Waited, Waiter};

#[cfg(target_os = "linux")]
pub use calls::{Called, STRETCH, calls};
#[cfg(target_os = "linux")]
pub use contention::{Contention, Locked};
#[cfg(target_os = "linux")]
pub use costs::{Costs, costs};
#[cfg(target_os = "linux")]
pub use lock::Method;
#[cfg(target_os = "linux")]
pub use reading::{Reading, Reads};

use std::path::Path;
use units::Problem;

/// Run the threads of a setup on this machine for as long as it says. `ready` is called once when all of them stand at
/// the start, with the thread id of the burner if there is one.
///
/// # Errors
/// With every problem of the setup, or the first thing that the system refused.
pub fn measure<F: FnOnce(Option<i32>) -> Result<(), String>>(setup: &Setup, ready: F) -> Result<Outcome, Vec<Problem>> {
    let problems = setup.problems();
    if !problems.is_empty() {
        return Err(problems);
    }
    run(setup, ready)
}

/// The step of the clock that the kernel's timer tick moves on, in nanoseconds: 1 s over the kernel's HZ.
///
/// # Errors
/// Where there is no such clock: anywhere but on Linux.
pub fn tick_ns() -> Result<u64, Box<Problem>> {
    #[cfg(target_os = "linux")]
    return Ok(clock::tick_ns());
    #[cfg(not(target_os = "linux"))]
    return Err(Box::new(elsewhere()));
}

/// The version of control groups that a directory belongs to, 1 or 2; 0 for any other file system, and not on Linux.
///
/// The file system is the authority: lists of mounts name places that other mounts may hide.
pub fn control_group_version(directory: &Path) -> u8 {
    #[cfg(target_os = "linux")]
    return control_group::version(directory);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = directory;
        0
    }
}

/// Have the system kill this process when the one that started it ends, however that ends.
///
/// # Errors
/// Where that cannot be asked for: anywhere but on Linux.
pub fn end_with_parent() -> Result<(), Box<Problem>> {
    #[cfg(target_os = "linux")]
    return session::end_with_parent();
    #[cfg(not(target_os = "linux"))]
    return Err(Box::new(elsewhere()));
}

#[cfg(target_os = "linux")]
fn run<F: FnOnce(Option<i32>) -> Result<(), String>>(setup: &Setup, ready: F) -> Result<Outcome, Vec<Problem>> {
    session::run(setup, ready).map_err(|problem| vec![*problem])
}

#[cfg(not(target_os = "linux"))]
fn run<F: FnOnce(Option<i32>) -> Result<(), String>>(_: &Setup, _: F) -> Result<Outcome, Vec<Problem>> {
    Err(vec![elsewhere()])
}

#[cfg(not(target_os = "linux"))]
fn elsewhere() -> Problem {
    Problem::new("there is no live measurement on this system")
        .because("limits on processor time are those of Linux control groups")
        .allowed(["Linux"])
}
