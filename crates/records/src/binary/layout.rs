//! The layout of a record or a section: its fields as data, how long it is, and the source of each field.

use super::Field;

/// How certain a layout is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The publisher's page has the offsets.
    Published,
    /// Offsets follow from the order and lengths of a field list, and the total is the length on the publisher's page.
    Confirmed,
    /// Offsets follow from the order and lengths of a field list; the publisher's page confirms some of them.
    Partly,
    /// Offsets follow from the order and lengths of a field list; no page confirms them.
    Packed,
    /// The layout is slicewright's own; no other program knows it.
    Own,
}

impl Certainty {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Certainty::Published => "published",
            Certainty::Confirmed => "confirmed",
            Certainty::Partly => "partly confirmed",
            Certainty::Packed => "packed, unconfirmed",
            Certainty::Own => "own",
        }
    }
}

/// Where the place and the meaning of fields come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// A short name for tables; empty where a layout has a source of its own.
    pub key: &'static str,
    /// How certain it makes them.
    pub certainty: Certainty,
    /// The document.
    pub text: &'static str,
}

/// The layout of a record or of one of its sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The name that its publisher gives it: "MRIODDEV".
    pub name: &'static str,
    /// Domain and record of monitor data, type and subtype of SMF.
    pub code: (u8, u16),
    /// Its contents in a few words.
    pub title: &'static str,
    /// Its bytes at the level that was seen; later levels may be longer.
    pub length: usize,
    /// The source of its fields; a field can have another.
    pub source: &'static Source,
    /// The fields that can be placed, in their order.
    pub fields: &'static [Field],
}

/// Defines the layout of a record from one text: a constant for each field, and `LAYOUT` with all of them.
///
/// A field is a line: `HPPTRIES 32/4 Count "visits of CP to the pool's free queue";` has its name, offset, length, kind
/// and meaning. `from LIST` behind it names a source other than that of the layout.
macro_rules! layout {
    (
        $name:literal $domain:literal / $record:literal $title:literal, $length:literal, $certainty:ident, $source:literal;
        $($fields:tt)*
    ) => {
        const SOURCE: $crate::binary::Source =
            $crate::binary::Source { key: "", certainty: $crate::binary::Certainty::$certainty, text: $source };
        $crate::binary::layout! { $name $domain/$record $title, $length, SOURCE; $($fields)* }
    };
    (
        $name:literal $domain:literal / $record:literal $title:literal, $length:literal, $source:ident;
        $($field:ident $offset:literal / $bytes:literal $kind:ident $meaning:literal $(from $own:ident)?;)*
    ) => {
        $(
            #[doc = concat!("`", stringify!($field), "` at ", $offset, "/", $bytes, ": ", $meaning)]
            pub const $field: $crate::binary::Field = $crate::binary::Field {
                name: stringify!($field),
                offset: $offset,
                length: $bytes,
                kind: $crate::binary::Kind::$kind,
                meaning: $meaning,
                source: &$crate::binary::layout!(@ $source $($own)?),
            };
        )*

        /// The layout with all fields.
        pub static LAYOUT: $crate::binary::Layout = $crate::binary::Layout {
            name: $name,
            code: ($domain, $record),
            title: $title,
            length: $length,
            source: &$source,
            fields: &[$($field),*],
        };
    };
    (@ $source:ident) => { $source };
    (@ $source:ident $own:ident) => { $own };
}

pub(crate) use layout;
