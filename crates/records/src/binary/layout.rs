//! The layout of a record or a section: its fields as data, how long it is, and how certain its source makes it.

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
    /// How certain the offsets are.
    pub certainty: Certainty,
    /// Where they come from.
    pub source: &'static str,
    /// The fields that can be placed, in their order.
    pub fields: &'static [Field],
}

/// Defines the layout of a record from one text: a constant for each field, and `LAYOUT` with all of them.
///
/// A field is a line: `HPPTRIES 32/4 Count "visits of CP to the pool's free queue";` has its name, offset, length, kind
/// and meaning.
macro_rules! layout {
    (
        $name:literal $domain:literal / $record:literal $title:literal, $length:literal, $certainty:ident, $source:literal;
        $($field:ident $offset:literal / $bytes:literal $kind:ident $meaning:literal;)*
    ) => {
        $(
            #[doc = concat!("`", stringify!($field), "` at ", $offset, "/", $bytes, ": ", $meaning)]
            pub const $field: $crate::binary::Field = $crate::binary::Field {
                name: stringify!($field),
                offset: $offset,
                length: $bytes,
                kind: $crate::binary::Kind::$kind,
                meaning: $meaning,
            };
        )*

        /// The layout with all fields.
        pub static LAYOUT: $crate::binary::Layout = $crate::binary::Layout {
            name: $name,
            code: ($domain, $record),
            title: $title,
            length: $length,
            certainty: $crate::binary::Certainty::$certainty,
            source: $source,
            fields: &[$($field),*],
        };
    };
}

pub(crate) use layout;
