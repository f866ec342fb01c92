//! Serialization of resources by name: ENQ, DEQ and RESERVE, the lists that decide how far a name reaches, the exits on
//! the
//! path of a request, and systems that share names.

pub mod exits;
pub mod name;
pub mod name_list;
pub mod request;
pub mod rig;
pub mod service;
pub mod systems;

pub use name::ResourceName;
pub use request::{Access, DeqRet, Linkage, Requester, Reserve, Ret, Scope};
