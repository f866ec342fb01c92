//! A partition, as far as processors go.

use crate::plan::Processors;
use std::ops::Range;

/// A partition, as far as processors go.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    /// Its logical processors.
    pub logical: Range<u32>,
    /// Whether each of them is online.
    pub online: Vec<bool>,
    /// Whether it is there.
    pub active: bool,
    /// Its share.
    pub processors: Processors,
}

impl Domain {
    /// Its logical processors that are online.
    pub fn online(&self) -> impl Iterator<Item = u32> {
        self.logical.clone().zip(&self.online).filter(|(_, online)| **online).map(|(logical, _)| logical)
    }
}
