//! The tests of reports, in one program: each program is linked by itself, which takes time.

mod control_logs;
mod direct_access;
mod enqueue_pages;
mod pool_listing;
mod rmf_processors;
mod round_trip;
mod spin_pages;
