//! The titles of RMF pages: their letters stand apart in a listing, "C P U   A C T I V I T Y", but not in a copied page.

use crate::grid::Grid;

/// Pages of the Postprocessor that a copy may show without the blanks (z/OS RMF Report Analysis, contents).
const TITLES: [&str; 14] = [
    "CACHE SUBSYSTEM ACTIVITY",
    "CHANNEL PATH ACTIVITY",
    "CPU ACTIVITY",
    "CRYPTO HARDWARE ACTIVITY",
    "DIRECT ACCESS DEVICE ACTIVITY",
    "ENQUEUE ACTIVITY",
    "FICON DIRECTOR ACTIVITY",
    "I/O QUEUING ACTIVITY",
    "LPAR CLUSTER REPORT",
    "PAGE/SWAP DATA SET ACTIVITY",
    "PAGING ACTIVITY",
    "PARTITION DATA REPORT",
    "VIRTUAL STORAGE ACTIVITY",
    "WORKLOAD ACTIVITY",
];

/// The title of a page in capitals and without its blanks, "CPUACTIVITY"; none when the line is no such title.
pub(crate) fn spaced_title(line: &Grid) -> Option<String> {
    let words: Vec<String> = line.words().into_iter().map(|word| line.text(word)).collect();
    let single = words.iter().filter(|word| word.chars().count() == 1).count();
    let apart = single >= 6 && words.iter().all(|word| word.chars().count() == 1 || word.eq_ignore_ascii_case("I/O"));
    let copied = || TITLES.iter().any(|title| title.eq_ignore_ascii_case(&words.join(" ")));
    (apart || copied()).then(|| words.concat().to_ascii_uppercase())
}
