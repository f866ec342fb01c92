//! RMF CPU ACTIVITY: the logical processors of one system over one interval, a row each.
//!
//! What is known of the layout is the title, the words of the head and the headings, which stand under the names of
//! groups ("TIME %" over "ONLINE", "LPAR BUSY", "MVS BUSY", "PARKED"); in which columns anything stands is not. So a number
//! belongs to the heading that it stands under, and one that stands under none is a problem.
//!
//! LPAR BUSY is the share of time in which a physical processor was dispatched to the logical one; MVS BUSY the share in
//! which its operating system had work for it, dispatched or not. % VIA TPI is 100 TPI / (SLIH + TPI). A TOTAL/AVERAGE line
//! closes the rows of a type; MVS BUSY there is that of processors that were not parked.

mod column;
mod page;
mod row;
mod totals;

pub use crate::rmf::Why;
pub use column::Column;
pub use page::{CpuActivity, CpuPage};
pub use row::{Row, Skipped};
