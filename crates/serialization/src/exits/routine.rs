//! What stands behind an exit: a table, a manager of several systems, or a program of somebody's own.

use super::call::{Call, Exit, Failed};
use super::multi_image::Manager;
use super::table::Table;

/// What stands behind an exit.
#[derive(Debug)]
pub enum Routine {
    /// A table of names and an answer.
    Table(Box<Table>),
    /// A manager of several systems.
    Manager(Box<Manager>),
    /// A program's own.
    Other(Box<dyn Exit>),
}

impl Routine {
    pub(super) fn call(&mut self, call: &mut Call<'_>) -> Result<(), Failed> {
        match self {
            Routine::Table(table) => table.call(call),
            Routine::Manager(manager) => manager.call(call),
            Routine::Other(exit) => exit.call(call),
        }
    }
}
