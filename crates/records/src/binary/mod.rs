//! Binary records: fields as data, and the forms of numbers and text of z/Architecture.

mod clock;
mod ebcdic;
mod field;
mod hex_float;
mod layout;
mod packed;

pub use clock::{Clock, UNIX_EPOCH};
pub use ebcdic::CodePage;
pub use field::{Field, Kind};
pub use hex_float::{from_hex_float, to_hex_float};
pub(crate) use layout::layout;
pub use layout::{Certainty, Layout, Source};
pub use packed::{from_packed, to_packed};
