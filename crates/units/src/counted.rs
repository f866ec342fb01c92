//! A count with its noun.

use std::fmt::Display;

/// A count with its noun, and what else depends on the number: "1 device was", "3 devices were".
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    format!("{count} {}", if count == N::from(1) { one } else { many })
}
