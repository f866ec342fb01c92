//! The pieces of which the way of a request through the service of ENQ and DEQ is made.

pub use ::serialization::exits::{POINTS, Piece};

/// How many pieces there are.
pub const PIECES: usize = Piece::ALL.len();

/// How often each exit point was called, in their order.
pub type Calls = [u32; POINTS];
