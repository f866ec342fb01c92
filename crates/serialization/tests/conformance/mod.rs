//! Whether the service does what the manuals say: one question each, with the rule and its source.

mod change;
mod contention;
mod deadlock;
mod endings;
mod environment;
mod harness;
mod limits;
mod query;
mod queue_order;
mod release;
mod requests;
mod reserve;
mod ring;
