//! RMF DIRECT ACCESS DEVICE ACTIVITY: one row per volume of a z/OS or MVS system over one interval.
//!
//! What is known of the layout is its titles and its headings, which stand above each other in two or three lines ("AVG"
//! over "IOSQ" over "TIME"); in which columns numbers end is not. So a number belongs to the heading that it stands under,
//! and one that stands under none is a problem. Two levels are read alike: the form of MVS/XA (device, rate, AVG RESP,
//! IOSQ, PEND, DISC, CONN) and that of z/OS, with storage group, PAV, LCU, delays and percentages.
//!
//! AVG RESP TIME is the sum of IOSQ, PEND, DISC and CONN (Partitioning Large Processors, 4.0): the time that an ended I/O
//! waits until its interrupt is handled is in none of them. AVG IOSQ TIME was sampled: the mean number of requests queued
//! over the rate; z/OS measures it. In either case IOSQ x rate is the mean queue ([`Level`]).

mod column;
mod page;
mod row;
mod totals;

pub use crate::rmf::Head;
pub use column::Column;
#[cfg(test)]
pub(crate) use page::HEADER;
pub use page::{DirectAccess, DirectAccessPage, Level};
pub use row::{Field, Row, Skipped, Why};
