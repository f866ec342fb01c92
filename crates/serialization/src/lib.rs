//! Serialization of resources by name: ENQ, DEQ and RESERVE, name lists, exits, and systems that share names.

pub mod exits;
pub mod name;
pub mod name_list;
pub mod request;
pub mod rig;
pub mod service;
pub mod systems;

pub use name::ResourceName;
pub use request::{Access, DeqRet, Linkage, Requester, Reserve, Ret, Scope};
