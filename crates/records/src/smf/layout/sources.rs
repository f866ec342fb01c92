//! The documents from which places and meanings of fields come.

use crate::binary::{Certainty, Source};

/// Offset, length, form and meaning of every field, made by IBM from its mapping macros.
pub const GATHERER: Source = Source {
    key: "Gatherer",
    certainty: Certainty::Published,
    text: "IBM, z/OS Data Gatherer, SMF Data REST Services 3.1, and z/OS MVS System Management Facilities (SMF)",
};
/// A list of fields without offsets.
pub const LIST: Source = Source {
    key: "list",
    certainty: Certainty::Packed,
    text: "order and lengths of the fields of IBM's mapping macro ERBSMFR, in a public translation into C by others",
};
/// A program that prints record 87.
pub const GRS87RPT: Source = Source {
    key: "GRS87RPT",
    certainty: Certainty::Published,
    text: "IBM, GRS87RPT, a program in the public repository IBM-Z-zOS, SMF-Tools",
};
/// All of them.
pub const SOURCES: &[Source] = &[GATHERER, LIST, GRS87RPT];
