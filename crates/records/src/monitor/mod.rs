//! z/VM monitor data as MONWRITE files have it: control blocks, frames of records, and what the records say.
//!
//! No public sample of such a file is known. The framing follows IBM's pages on MWTBK and the documentation of Linux'
//! monreader. The page of monitor records in the documentation says which parts are inferred.

mod accident;
mod block;
mod contents;
pub mod export;
pub mod header;
mod intervals;
pub mod layout;
mod reader;
mod writer;

pub(crate) use block::is_file;
pub use block::{BLOCK, Class, Domains};
pub use contents::{Contents, Kind};
pub use header::Header;
pub use intervals::{Intervals, Notice, Step, is_used};
pub use reader::{Reader, Record};
pub use writer::{Writer, mark};
