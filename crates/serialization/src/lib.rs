//! Serialization of resources by name: what ENQ, DEQ and RESERVE do, and the lists that say how far a name reaches.
//!
//! It leaves out processors and time: nobody here waits or is dispatched; a request says what became of it, a release
//! says who goes on, and whoever calls carries it out.

pub mod name;
pub mod name_list;
pub mod request;
pub mod service;

pub use name::ResourceName;
pub use request::{Access, DeqRet, Linkage, Requester, Reserve, Ret, Scope};
