//! Locks of threads, as they are to be built.

use super::keys::{checked, name};
use crate::language::*;
use crate::resolved::Table;
use machine::plan::{ThreadLockPlan, Turns, Waiting};

/// A lock of threads.
pub fn thread_lock(table: &Table) -> ThreadLockPlan {
    let span = |key| checked(table.span(key), key);
    ThreadLockPlan {
        name: name(table),
        order: if table.text(&TURNS) == Some(TICKET) { Turns::Ticket } else { Turns::Unordered },
        waiting: match checked(table.text(&WAITS_BY), &WAITS_BY) {
            SPINS => Waiting::Spin,
            YIELDS_AFTER => {
                Waiting::Yield { tries: checked(table.count(&TRIES_BEFORE), &TRIES_BEFORE), cost: span(&CALL) }
            }
            _ => Waiting::Sleep { cost: span(&CALL), wake: span(&WAKE_CALL) },
        },
        attempt: span(&ATTEMPT),
        lift: table.number(&LIFT).map(|nice| nice as i8),
    }
}
