//! What the Configuration Attributes screen sets of a domain and no time depends on: kept, so that the screen can be printed.

use super::{Key, Kind, Need};

const ON_THE_SCREEN: Need = Need::Optional("the screen shows nothing there; no time depends on it");

/// The architecture.
pub static ARCHITECTURE_MODE: Key = Key::new(
    "architecture_mode",
    Kind::Word(&["370", "XA"]),
    ON_THE_SCREEN,
    "ARCHITECTURE MODE of the Configuration Attributes screen (figure 2); no time depends on it",
);
/// How much storage.
pub static STORAGE_SIZE: Key = Key::new(
    "storage_size",
    Kind::Line,
    ON_THE_SCREEN,
    "STORAGE SIZE of that screen: \"64M\", or \"ALL\"; no time depends on it",
);
/// Where it lies.
pub static STORAGE_LOCATION: Key = Key::new(
    "storage_location",
    Kind::Line,
    ON_THE_SCREEN,
    "STORAGE LOCATION of that screen: \"ANY\", or a hexadecimal address; no time depends on it",
);
/// The console.
pub static CONSOLE_ADDRESS: Key = Key::new(
    "console_address",
    Kind::Line,
    ON_THE_SCREEN,
    "CONSOLE ADDRESS of that screen: \"NONE\", or an address; no time depends on it",
);
