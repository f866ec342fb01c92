//! Totals of an interval as pages of text, in the form that analysts know.
//!
//! # In the style of, never in the name of
//!
//! [`device_page`] prints rows, headings and numbers as FCX108 DEVICE of the z/VM Performance Toolkit does. Readers and
//! tools used to it can read it.  The page reader of the `records` crate is one such tool, and reads it back
//! to the same figures within their printed rounding. The rest of the toolkit's page is not imitated, and the head of
//! the page names slicewright as its writer.
//!
//! [`direct_access_page`] does the same for RMF DIRECT ACCESS DEVICE ACTIVITY at two levels: that of z/OS and that of
//! MVS/XA. [`cpu_page`] and [`partition_page`] do it for CPU ACTIVITY and PARTITION DATA, of whose layouts less is
//! known: headings and their groups are theirs, and positions are ours. [`channel_page`] (CHANNEL PATH ACTIVITY) and
//! [`queuing_page`] (I/O QUEUING ACTIVITY) too.
//!
//! [`enqueue_page`] (ENQUEUE ACTIVITY) has the columns of SMF record 77; [`contention_page`] lists blockers at an
//! instant, as DISPLAY GRS does.
//!
//! [`lock_log_page`] is a log in the style of FCX265 LOCKLOG. The other logs of a control program
//! ([`processor_log_page`], [`vector_page`], [`parking_page`], [`user_state_page`], [`share_page`]) are in the same
//! style and have columns of our own.
//!
//! [`privileged_operations_page`] (FCX104 PRIVOP), [`system_counter_page`] (FCX102 SYSTEM) and [`spin_lock_page`] are
//! about guests that spin for locks of their own: their yields, the outcomes, and the locks. Some rows of FCX102 are
//! known, and are separate from ours.
//!
//! [`pool_listing`] lists the bases and aliases that belong together, as CP QUERY PAV does, in words of our own.
//!
//! # Two response times
//!
//! The toolkit's response is wrong where aliases work for a volume. [`Response`] chooses between it and the correct
//! one, and the page says which it shows.
//!
//! ```
//! use measures::{DeviceTotals, Figure, IntervalTotals, Role};
//!
//! let mut interval = IntervalTotals::new("DEMO", units::Span::SECOND * 600);
//! interval.devices.push(DeviceTotals {
//!     io_per_s: Figure::exact(711.0),
//!     service_ms: Figure::exact(1.3),
//!     queue_depth: Figure::exact(1.84),
//!     ..DeviceTotals::unknown("522A".into(), "3390-3".into(), "BWPVS0".into(), Role::Base, 4)
//! });
//! let page = reports::device_page(&interval, reports::Response::Toolkit, "a demonstration");
//! assert!(page.ends_with(" 522A 3390-3 BWPVS0         -   4  711     -    -    -    -  1.3  3.9    - 1.84\n"));
//! ```

mod contention;
mod device;
mod grouped;
mod log;
mod number;
mod pool_listing;
mod printable;
mod response;
mod rmf_channel;
mod rmf_cpu;
mod rmf_dasd;
mod rmf_enqueue;
mod rmf_head;
mod rmf_partition;
mod rmf_queuing;
mod stack;
mod table;

use measures::IntervalTotals;

pub use contention::contention_page;
pub use device::device_page;
pub use log::{
    Log, Parking, ShareSetting, Unparking, lock_log_page, parking_page, privileged_operations_page, processor_log_page,
    share_page, spin_lock_page, system_counter_page, user_state_page, vector_page,
};
pub use pool_listing::pool_listing;
pub use response::Response;
pub use rmf_channel::channel_page;
pub use rmf_cpu::{CpuForm, LogicalShare, cpu_page};
pub use rmf_dasd::{DirectAccessForm, RmfLevel, View, direct_access_page};
pub use rmf_enqueue::enqueue_page;
pub use rmf_partition::{Machine, Setting, partition_page};
pub use rmf_queuing::queuing_page;

/// A page that is made of one table and of the head that all pages have.
pub struct TablePage {
    /// Its name.
    pub name: &'static str,
    /// The table.
    pub table: &'static str,
    /// The page of an interval; a note says in its head where it comes from and may be empty.
    pub print: fn(&IntervalTotals, &str) -> String,
}

/// Every page that is made of one table.
pub const TABLE_PAGES: [TablePage; 3] = [
    TablePage { name: "rmf-channel", table: "channels", print: channel_page },
    TablePage { name: "rmf-ioq", table: "pools", print: queuing_page },
    TablePage { name: "rmf-enqueue", table: "enqueues", print: enqueue_page },
];
