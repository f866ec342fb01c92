//! Threads with CPU limits: which thread runs where and when, by the fair scheduler and the bandwidth controller.
//!
//! Sources: the kernel's documentation, "sched-bwc", "sched-eevdf", "sched-nice-design", "cgroup-v2" and "sched-domains".  Other
//! rules are ASSUME, and are marked as such in `docs/concepts/cfs.md`.

mod fair;
mod limits;
mod locks;
mod places;
mod shared_data;
mod stand;
