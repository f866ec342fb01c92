//! FCX108 DEVICE of the z/VM Performance Toolkit: one row per device over one interval.
//!
//! The layout is known from the six excerpts in z/VM HyperPAV Support: a title line, a long title, From, To and For, a
//! rule, a line of marks, two heading lines, a row per device. On a classic PAV alias the type is `->` and the base's
//! device number; a HyperPAV alias has no label. Logs repeat the header on every page and carry `>>` summary lines and
//! lines per interval.

mod column;
mod edit;
mod layout;
mod line;
mod page;
mod row;
mod title;
mod totals;

pub use crate::number::Printed;
pub use column::Column;
pub use page::DevicePage;
pub use row::{Field, Row, Skipped, Why};
pub use title::Title;
