//! Bytes and report text, read into typed records and written back without a changed byte.
//!
//! # A page is a document, its numbers are a reading of it
//!
//! A [`fcx108::DevicePage`] keeps the bytes it was read from. Rows, fields and their values are an index into them.
//! So reading any page and writing it back gives the same bytes. Setting one field overwrites that field in place: the
//! length of the page never changes. [`fcx108::DevicePage::totals`] is one reading of the document, not its store.
//!
//! # The header decides
//!
//! Columns move between releases, so nothing here knows a position: the heading lines of the page give the columns and
//! their ends. Unknown columns, to the right or in between, are kept and ignored.
//!
//! # All problems at once
//!
//! A reader gives either the document or the list of all its problems, each with line and column ([`units::Problem`]).
//! Rows that are valid but not disks are no problem: they are listed as skipped, with the reason.

pub mod binary;
mod collector;
mod damage;
mod disk;
mod encoding;
pub mod fcx108;
mod form;
mod grid;
mod interval;
mod laws;
mod measured;
pub mod monitor;
mod nearest;
mod number;
mod overwrite;
pub mod pages;
pub mod query_pav;
pub mod rmf;
pub mod rmf_channel;
pub mod rmf_cpu;
pub mod rmf_dasd;
pub mod rmf_partition;
pub mod rmf_queuing;
pub mod row;
pub mod smf;
pub mod source;

pub use damage::Damage;
pub use form::Form;
pub use interval::{Interval, Sink, System};
pub use measured::Measured;
