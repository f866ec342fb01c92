//! A partition, as far as processors go.

use crate::plan::Processors;
use std::ops::Range;

/// A partition, as far as processors go.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    /// Its logical processors.
    pub logical: Range<u32>,
    /// Whether it is there.
    pub active: bool,
    /// What it is promised.
    pub processors: Processors,
}
