//! SMF records of z/OS as a dump has them: descriptor words, standard header, the sections of RMF, and the intervals that
//! they describe.
//!
//! Layouts follow IBM's *z/OS MVS System Management Facilities (SMF)*. Fields whose offsets were not found in public are
//! neither read nor written; each layout says how certain its offsets are.

pub mod contents;
pub mod export;
mod file;
pub mod framing;
mod header;
pub mod intervals;
pub mod layout;
pub mod reassembly;
mod rmf;
pub mod time;

pub use contents::Contents;
pub use file::File;
pub use framing::{Framing, Reader, Record, Writer};
pub use header::Header;
pub use intervals::{Intervals, Notice, Read};
pub use rmf::{Rmf, Triplet};
