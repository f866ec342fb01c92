//! RMF PARTITION DATA: what partitions got of the physical processors over one interval, a row per partition and type.
//!
//! What is known of the layout is the title, the words of the head and the headings, which stand under the names of
//! groups ("PHYSICAL PROCESSORS" over "LPAR MGMT", "EFFECTIVE", "TOTAL"); in which columns anything stands is not. So a
//! number belongs to the heading that it stands under, and one that stands under none is a problem.
//!
//! EFFECTIVE is the time for which physical processors were dispatched to a partition without what managing it took, and
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
