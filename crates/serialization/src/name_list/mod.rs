//! Resource name lists: entries that say which names reach further than they were asked to, or less far, and the
//! `GRSRNLxx` text that defines them.
//!
//! # The lists and the order in which they are searched
//!
//! There are three: inclusion, exclusion and conversion. The requested scope decides which of them are searched:
//!
//! - `SYSTEM`: the inclusion list; on a match the request is one for `SYSTEMS`, and goes on as that.
//! - `SYSTEMS`: the exclusion list; on a match the request is local, else global.
//! - RESERVE: the exclusion list; on a match a local ENQ and a hardware reserve. Otherwise the conversion list: on a match
//!   a global ENQ without a hardware reserve, else a global ENQ and a hardware reserve.
//! - `STEP`: none.
//!
//! [`NameLists::settle`] does this. The outcome depends only on whether an entry of a list matches, not on which.
//! ASSUME: the first that matches in the order of the text is the one that is reported.
//!
//! # A text is a document, its entries are a reading of it
//!
//! [`NameListText`] keeps the bytes it was read from, and changing an entry writes over its values alone.

mod cursor;
mod entry;
mod identical;
mod index;
mod layout;
mod lists;
mod shadow;
mod shape;
mod statement;
mod text;
mod value;
pub(crate) mod word;

pub use entry::{Entry, Kind, List};
pub use identical::differences;
pub use lists::{Asked, NameLists, Outcome, Search};
pub use shadow::{Remark, Why};
pub use text::NameListText;
pub use value::{as_written, read_name};
