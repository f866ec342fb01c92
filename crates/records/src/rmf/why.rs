//! Why a sound line of a page of processors or partitions is no row.

use std::fmt;

/// Why a sound line is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The processor or partition has no figures: it is offline, or not active.
    NoFigures,
    /// A line of totals and averages.
    Summary,
    /// A line without figures, and of nothing that a row could be of.
    Remark,
    /// A line under the title of another page.
    OtherPage,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::NoFigures => "no figures",
            Why::Summary => "a summary line",
            Why::Remark => "a remark",
            Why::OtherPage => "a line of another page",
        })
    }
}
