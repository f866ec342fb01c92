//! What all pages of an RMF report have alike: a title in spaced letters, a head, headings over columns, rows.
//!
//! A [`Document`] keeps the bytes that it was read from; its rows are an index into them. Each page is a type that
//! implements [`Page`] and says what is its own: title, columns, how its headings stand, and what a line under them is.

mod column;
mod document;
mod edit;
mod head;
mod layout;
mod reading;
mod row;
mod standing;
mod title;
mod why;

pub use column::{Columned, Holds};
pub use document::{Document, Page};
pub use head::Head;
pub use layout::Standing;
pub(crate) use row::{Cut, RowLine, is_like_a_number, stray_word};
pub(crate) use title::spaced_title;
pub use why::Why;
