//! Totals of one interval of one system, measured or simulated, with the table of all counters.
//!
//! The simulator's monitor and the readers of real reports both produce [`IntervalTotals`]. Report pages, advice and
//! comparisons take it and do not distinguish simulated from measured. It has no bytes, no clock and no model.
//!
//! # One table of counters
//!
//! A table (volumes, devices, pools, ...) is a file here. It has the fields that identify a row, the key columns made
//! of them, and the counters. Each counter has its header, unit and digits, whether it was measured, sampled or derived,
//! the rule that combines intervals, its formula and its source. The file gives the row type (a [`Figure`] per counter)
//! and its constant `COUNTERS`. It also gives the generic view ([`Totals::keys`], [`Totals::figures`],
//! [`IntervalTotals::tables`]), by which tables become columns without code per table. A counter cannot be added
//! without its meaning.
//!
//! # Two views of a queue
//!
//! The control program samples queues from time to time; the simulator can also observe them always. Both are columns
//! of their own (`queue_depth`, `queue_depth_sampled`).
//!
//! # Figures know their rounding
//!
//! A figure read from a page carries half a unit of its last printed digit, and arithmetic on figures carries it along.
//! So "equal within the printed digits" can be tested. A figure that a source does not have is [`Figure::UNKNOWN`],
//! never zero.
//!
//! # Two response times
//!
//! [`toolkit_response_ms`] is the response of a DEVICE report, wrong where aliases work; [`correct_response_ms`] is the
//! response that the guests see.

mod cgroup;
mod channel;
mod columns;
mod contention;
mod control_processor;
mod control_program;
mod control_unit;
mod counter;
mod decision;
mod device;
mod enqueue;
mod figure;
mod front_end;
mod guest;
mod interval;
mod lock;
mod logical_processor;
mod lpar_group;
mod minidisk;
mod online_processor;
mod partition;
mod pool;
mod pooled;
mod processor;
mod resource;
mod response;
mod serialization;
mod spin_lock;
mod system;
mod table;
mod thread;
mod thread_lock;
mod virtual_machine;
mod volume;

pub use cgroup::CgroupTotals;
pub use channel::ChannelTotals;
pub use columns::{Columns, Keys, Values};
pub use contention::{Contended, Contender, ContentionRow};
pub use control_processor::ControlProcessorTotals;
pub use control_program::ControlProgramTotals;
pub use control_unit::ControlUnitTotals;
pub use counter::{Counter, Digits, How, Key, KeyColumn, OverIntervals};
pub use decision::DecisionRow;
pub use device::{DeviceTotals, Role};
pub use enqueue::EnqueueTotals;
pub use figure::{Figure, sum};
pub use front_end::FrontEndTotals;
pub use guest::GuestTotals;
pub use interval::{IntervalColumns, IntervalTotals, LOGS, TABLES};
pub use lock::LockTotals;
pub use logical_processor::LogicalProcessorTotals;
pub use lpar_group::LparGroupTotals;
pub use minidisk::MinidiskTotals;
pub use online_processor::OnlineProcessorTotals;
pub use partition::PartitionTotals;
pub use pool::PoolTotals;
pub use processor::ProcessorTotals;
pub use resource::ResourceTotals;
pub use response::{Share, correct_response_ms, in_service, rate_weighted, shares, toolkit_response_ms};
pub use serialization::SerializationTotals;
pub use spin_lock::SpinLockTotals;
pub use system::SystemTotals;
pub use table::{Row, Table, TableRows, Totals};
pub use thread::ThreadTotals;
pub use thread_lock::ThreadLockTotals;
pub use virtual_machine::VirtualMachineTotals;
pub use volume::VolumeTotals;
