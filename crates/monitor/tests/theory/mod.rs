//! Theory: is the estimate right?  Simulated means against closed forms, over independent replications: within five
//! standard errors, and the standard error below 0.5 % of the closed form.
//!
//! `--nocapture` prints every comparison.

mod batches;
mod breakdowns;
mod channels;
mod closed_forms;
mod closed_networks;
mod cold_caches;
mod dispatching;
mod domains;
mod enqueues;
mod front_ends;
mod limits;
mod lock_chains;
mod minidisk;
mod open_queues;
mod own_exits;
mod pacer;
mod path_station;
mod pool;
mod pool_chain;
mod prsm;
mod region_chain;
mod resources;
mod scheduler_lock;
mod shares;
mod slice_chain;
mod sliced_work;
mod slices;
mod spin_locks;
mod tdma;
mod thread_locks;
mod token_slices;
mod trial;
mod virtual_processors;
mod yields;
