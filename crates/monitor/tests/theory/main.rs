//! Theory: is the estimate right?  Simulated means against closed forms, over independent replications: within five
//! standard errors, and the standard error below 0.5 % of the closed form.
//!
//! It leaves out seeded draws: no number here was printed by a run and pasted.  `--nocapture` prints every comparison.

#[path = "../plans/mod.rs"]
mod plans;

mod batches;
mod breakdowns;
mod closed_forms;
mod closed_networks;
mod dispatching;
mod domains;
mod front_ends;
mod minidisk;
mod open_queues;
mod path_station;
mod pool;
mod pool_chain;
mod prsm;
mod region_chain;
mod resources;
mod slice_chain;
mod sliced_work;
mod slices;
mod tdma;
mod trial;
