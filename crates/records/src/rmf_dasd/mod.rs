//! RMF DIRECT ACCESS DEVICE ACTIVITY: one row per volume of a z/OS or MVS system over one interval.
//!
//! The titles and the headings of the layout are known.  A heading is two or three lines high ("AVG" over "IOSQ" over
//! "TIME").  The columns in which numbers end are not known.  So a number belongs to the heading above it, and one
//! without a heading is a problem.  Two levels are read alike: the form of MVS/XA (device, rate, AVG RESP, IOSQ, PEND,
//! DISC, CONN) and that of z/OS, with storage group, PAV, LCU, delays and percentages.
//!
//! AVG RESP TIME is the sum of IOSQ, PEND, DISC and CONN (Partitioning Large Processors, 4.0).  The time that an ended
//! I/O waits until its interrupt is handled is in none of them. AVG IOSQ TIME was sampled: the mean number of requests
//! queued over the rate; z/OS measures it. In either case IOSQ x rate is the mean queue ([`Level`]).

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
