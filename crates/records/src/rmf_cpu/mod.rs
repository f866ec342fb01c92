//! RMF CPU ACTIVITY: the logical processors of one system over one interval, a row each.
//!
//! The title, the words of the head and the headings of the layout are known.  Headings are under the names of groups
//! ("TIME %" over "ONLINE", "LPAR BUSY", "MVS BUSY", "PARKED").  The columns of numbers are not known.  So a number
//! belongs to the heading above it, and one without a heading is a problem.
//!
//! LPAR BUSY is the share of time in which a physical processor was dispatched to the logical one. MVS BUSY is the share in
//! which its operating system had work for it, dispatched or not. % VIA TPI is 100 TPI / (SLIH + TPI). A
//! TOTAL/AVERAGE line closes the rows of a type; MVS BUSY there is that of processors that were not parked.

mod column;
mod page;
mod row;
mod totals;

pub use crate::rmf::Why;
pub use column::Column;
pub use page::{CpuActivity, CpuPage};
pub use row::{Row, Skipped};
