//! Changes that may be bought, and their prices: `slicewright plan` reads them, a run simulates the file without them.

use super::{Key, Kind, Need, Table};

/// The key that a purchase changes.
pub static BOUGHT_KEY: Key = Key::new(
    "key",
    Kind::Line,
    Need::Required("a purchase changes a key"),
    "the key that it changes, as `--set` names it: \"alias_pool.POOL.aliases\"",
);
/// Its values.
pub static BOUGHT_VALUES: Key = Key::new(
    "values",
    Kind::Line,
    Need::Required("a purchase needs values"),
    "a range, a list, or an increase of the present value: \"0..16\", \"vertical,horizontal\", \"+0..16\"",
);
/// Its price.
pub static BOUGHT_PRICE: Key = Key::new(
    "price",
    Kind::Number(0.0, 1e12),
    Need::Required("a plan compares costs"),
    "its price, in a unit that all purchases share",
);
/// The unit of the price.
pub static BOUGHT_PER: Key = Key::new(
    "per",
    Kind::Word(&["each", "flat"]),
    Need::Default("flat", "one price for any change of the key"),
    "whether the price is of each unit and each part that changes, or of the whole change",
);

/// A purchase.
pub static PURCHASE: Table = Table {
    name: "purchase",
    doc: "a change that `slicewright plan` may buy, with its price; it is not part of the machine, and nothing else reads it",
    keys: &[&BOUGHT_KEY, &BOUGHT_VALUES, &BOUGHT_PRICE, &BOUGHT_PER],
    choices: &[],
    notes: false,
};
