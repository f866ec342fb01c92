//! ENQ, DEQ and RESERVE inside the machine: which stretches a request is made of, who has the lock, and when it is queued.
//!
//! Sources: "GRS/MIM" is GRS/MIM Installation Exit Performance, "Planning" is MVS Planning: Global Resource Serialization,
//! "Guide" and "Reference" are MVS Programming: Authorized Assembler Services.  What they do not say is ASSUME, and stands as
//! such in `docs/concepts/serialization.md`.

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
