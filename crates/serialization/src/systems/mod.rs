//! Several systems that share names, and how each hears of what the others ask for.
//!
//! It leaves out the couplings and links between them, and processor time.

mod complex;
mod mode;

pub use complex::{Answered, Ask, Complex, Give, Hole, Told, Wanted};
pub use mode::{Delay, Mode, Place};
