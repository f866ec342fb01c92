//! ENQ, DEQ and RESERVE inside the machine: the stretches of a request, the lock holder, and when it is queued.
//!
//! Sources: "GRS/MIM" is GRS/MIM Installation Exit Performance, "Planning" is MVS Planning: Global Resource Serialization,
//! "Guide" and "Reference" are MVS Programming: Authorized Assembler Services.  Other rules are ASSUME, and are marked
//! as such in `docs/concepts/serialization.md`.

mod change_of_control;
mod elsewhere;
mod endings;
mod leaving;
mod lock;
mod on_processors;
mod queues;
mod stand;
mod volumes;
mod way;
