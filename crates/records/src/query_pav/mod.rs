//! What CP QUERY PAV answers: which base and which alias belong together, one device a line.
//!
//! The contents of a response are documented, not its wording: a HyperPAV device's pool "can be obtained from a Q PAV
//! command executed against one of the devices in the pool" (z/VM monitor records, MRIODHPP), a classic alias has one
//! base. So a line is read by its words:
//!
//! - it starts with `Device` and a device number of four hexadecimal digits;
//! - the first of the words `base` and `alias` (or their plurals) is the role of the device;
//! - the word after `pool` names its pool, which makes it a HyperPAV device;
//! - without a pool, the device numbers after `aliases` are those of a base, the one after `base` is that of an alias;
//! - a line of device numbers only goes on with the aliases of the line before.
//!
//! Other lines (the command as typed, the prompt, headings) are skipped and listed. [`PoolListing`] is the result.

mod agreement;
mod line;
mod listing;

pub use line::Standing;
pub use listing::{Listed, PoolListing, Skipped, Why};
