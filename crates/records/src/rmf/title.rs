//! The titles of RMF pages, whose letters stand apart: "C P U   A C T I V I T Y".

use crate::grid::Grid;

/// The title of a page without its blanks, "CPUACTIVITY"; none when the line is no such title.
pub(crate) fn spaced_title(line: &Grid) -> Option<String> {
    let words: Vec<String> = line.words().into_iter().map(|word| line.text(word)).collect();
    let single = words.iter().filter(|word| word.chars().count() == 1).count();
    (single >= 6 && single == words.len()).then(|| words.concat())
}
