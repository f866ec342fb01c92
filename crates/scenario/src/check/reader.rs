//! The context of the functions that read one value.

use crate::problems::Problems;

/// The context of the functions that read one value.
pub struct Reader<'r, 'a> {
    /// Where problems go.
    pub problems: &'r mut Problems<'a>,
    /// Whether what is missing is known to be missing.
    pub complete: bool,
}
