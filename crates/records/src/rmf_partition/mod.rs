//! RMF PARTITION DATA: what partitions got of the physical processors over one interval, a row per partition and type.
//!
//! The title, the words of the head and the headings of the layout are known.  Headings are under the names of groups
//! ("PHYSICAL PROCESSORS" over "LPAR MGMT", "EFFECTIVE", "TOTAL").  The columns of numbers are not known.  So a number
//! belongs to the heading above it, and one without a heading is a problem.
//!
//! EFFECTIVE is the time for which physical processors were dispatched to a partition without the time to manage it.
//! TOTAL is both together: TOTAL = LPAR MGMT + EFFECTIVE in every row ([`PartitionPage::disagreements`]). With WAIT
//! COMPLETION YES a partition that waits stays dispatched, and the time in which it waits is part of EFFECTIVE.

mod column;
mod identity;
mod page;
mod row;
mod totals;

pub use crate::rmf::Why;
pub use column::Column;
#[cfg(test)]
pub(crate) use page::HEADER;
pub use page::{Partition, PartitionPage};
pub use row::{Row, Skipped};
