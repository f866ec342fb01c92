//! Serialization of resources by name: what ENQ, DEQ and RESERVE do, the lists that say how far a name reaches, the exits
//! that are asked on the way, and how systems that share names hear of it.

pub mod exits;
pub mod name;
pub mod name_list;
pub mod request;
pub mod rig;
pub mod service;
pub mod systems;

pub use name::ResourceName;
pub use request::{Access, DeqRet, Linkage, Requester, Reserve, Ret, Scope};
