//! The tests of records, in one program: each program is linked by itself, which takes time.

mod bad_input;
mod form;
mod full_width;
mod fuzz;
mod fuzz_monitor;
mod fuzz_rmf_dasd;
mod fuzz_rmf_processors;
mod fuzz_smf;
mod laws;
mod lossless;
mod monitor_damage;
mod monitor_export;
mod published;
mod query_pav;
mod rmf_dasd;
mod rmf_processors;
mod smf_export;
mod smf_file;
mod smf_framing;
mod smf_reassembly;
mod smf_requests;
mod smf_tails;
