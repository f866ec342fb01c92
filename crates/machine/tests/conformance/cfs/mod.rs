//! Threads with CPU limits: who runs where from when to when, by the fair scheduler and the bandwidth controller.
//!
//! Sources: the kernel's documentation, "sched-bwc", "sched-eevdf", "sched-nice-design", "cgroup-v2" and "sched-domains".  What they
//! do not say is ASSUME, and stands as such in `docs/concepts/cfs.md`.

mod fair;
mod limits;
mod places;
mod stand;
