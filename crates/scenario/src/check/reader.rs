//! What the functions that read one value share.

use crate::problems::Problems;

/// What the functions that read one value share.
pub struct Reader<'r, 'a> {
    /// Where problems go.
    pub problems: &'r mut Problems<'a>,
    /// Whether what is missing is known to be missing.
    pub complete: bool,
}
