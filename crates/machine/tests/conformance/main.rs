//! Conformance: is each transition what its source says?  One mechanism at a time, driven by hand, without the kernel's
//! run loop; a test's name is the rule.
//!
//! Sources: "HyperPAV" is the z/VM Performance Report's section "z/VM HyperPAV Support", cited by its subheadings;
//! MRIODHPP is the monitor record of domain 6, record 28, that it describes.  Rules marked ASSUME have no source: the
//! tests hold them to what their knob promises.

// A test names the numbers that it is about: a part of a plan may get another one.
#![allow(clippy::needless_update)]

mod alias_pool;
mod caches;
mod cfs;
mod channel_path;
mod control_program;
mod controller;
mod entitlement;
mod exchange;
mod exposure;
mod front_end;
mod giving_way;
mod guest;
mod minidisk;
mod paths;
mod placement;
mod program;
mod prsm;
mod queue;
mod redispatch;
mod reserve;
mod resource;
mod sampler;
mod scheduler_lock;
mod serialization;
mod slicing;
mod spin_lock;
mod stand;
mod supervisor;
mod token_slices;
mod vary;
mod volume;
