//! The dispatcher of control programs: wake-ups, dispatches, stealing, limits, parking, and the charging of time.
//!
//! Sources: "HiperDispatch" is the z/VM Performance Report's section on it, "Understanding HiperDispatch" the z/VM performance
//! tips' page, "CP" the z/VM CP Commands and Utilities Reference.  Other rules are ASSUME, and are marked as such in
//! `docs/concepts/control-program.md`, `dispatch-vectors.md` and `parking.md`.

mod accounting;
mod carrying;
mod contention;
mod halting;
mod held_up;
mod intercepts;
mod limits;
mod list_work;
mod machines;
mod outbox;
mod own_lock;
mod parking;
mod pause_loop;
mod rounds;
mod run_the_target;
mod shares;
mod spinners;
mod stand;
mod stealing;
mod wake_ups;
mod x44;
mod x9c;
