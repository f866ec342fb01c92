//! Quantities as the machine keeps them and as people write them: instants and spans of the TOD clock,
//! shares in percent, rates per second, amounts of data.

mod bytes;
mod counted;
mod decimal;
mod error;
mod percent;
mod problem;
mod rate;
mod span;
mod tod;

pub use bytes::Bytes;
pub use counted::counted;
pub use error::QuantityError;
pub use percent::Percent;
pub use problem::{MOST_PRINTED, Problem, listing};
pub use rate::PerSecond;
pub use span::Span;
pub use tod::Tod;
