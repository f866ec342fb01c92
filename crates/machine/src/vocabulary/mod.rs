//! The words that all parts of the machine share.  They import nothing of the other modules.

pub mod access;
pub mod call;
pub mod ids;
pub mod io;
pub mod phase;
pub mod piece;
pub mod redispatch;
pub mod selection;
pub mod way;
