//! The columns of a page by its header, and their contents.

use super::column::{Columned, required};
use super::standing;
use crate::grid::Grid;
use crate::nearest::nearest;
use std::ops::Range;
use units::Problem;

/// How the headings of a page stand, and the words by which their line is known.
#[derive(Clone, Copy, Debug)]
pub enum Standing {
    /// Words above each other, a column each: "AVG" over "IOSQ" over "TIME".
    Stacked {
        /// Three of these words make the line that has a word for most columns.
        anchors: &'static [&'static str],
    },
    /// Words in one line, under the names of groups of columns that stand in lines above.
    Grouped {
        /// All of these make the lowest line.
        anchors: &'static [&'static str],
    },
}

/// A heading: known or not, and the columns of the page that its words take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading<C> {
    pub(crate) column: Option<C>,
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
}

/// The columns of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout<C> {
    headings: Vec<Heading<C>>,
    /// Whether a word without digits may stand under no heading.
    lax: bool,
}

/// A word of a row, under the heading that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Under<C> {
    /// The known column; none for a heading that is not read.
    pub(crate) column: Option<C>,
    /// The place of the word.
    pub(crate) place: Range<usize>,
    /// Whether it is under a second heading too.
    pub(crate) runs_on: bool,
}

impl Standing {
    /// Whether a line is the one by which a header is known.
    pub(crate) fn is_anchor<C: Columned>(&self, line: &Grid) -> bool {
        match self {
            Standing::Stacked { anchors } => standing::is_stacked_anchor::<C>(line, anchors),
            Standing::Grouped { anchors } => standing::is_grouped_anchor(line, anchors),
        }
    }

    /// The header lines around the one that [`Standing::is_anchor`].
    pub(crate) fn header<C: Columned>(&self, lines: &[Grid], anchor: usize) -> Range<usize> {
        match self {
            Standing::Stacked { .. } => standing::stacked_header::<C>(lines, anchor),
            Standing::Grouped { .. } => standing::grouped_header::<C>(lines, anchor),
        }
    }

    /// The columns that the lines of a header give.
    pub(crate) fn layout<C: Columned>(&self, lines: &[Grid], anchor: usize) -> Layout<C> {
        let (mut headings, lax) = match self {
            Standing::Stacked { .. } => (standing::stacked(lines, anchor), false),
            Standing::Grouped { .. } => (standing::grouped(lines, anchor), true),
        };
        headings.sort_by_key(|heading| heading.span.start);
        Layout { headings, lax }
    }
}

impl<C: Columned> Layout<C> {
    /// The columns that a page must have and this one has not, and those that it has twice.
    pub(crate) fn problems(&self, line: usize) -> Vec<Problem> {
        let times = |column: C| self.headings.iter().filter(|heading| heading.column == Some(column)).count();
        let unknown = || self.headings.iter().filter(|heading| heading.column.is_none());
        let end = self.headings.last().map_or(0, |heading| heading.span.end);
        let all = || C::ALL.iter().copied();
        let missing = all().filter(|column| column.is_required() && times(*column) == 0).map(|column| {
            let near = nearest(column.heading(), unknown().map(|heading| heading.name.as_str()));
            let place = near.and_then(|name| unknown().find(|heading| heading.name == name));
            let problem = Problem::new(format!("the heading `{}` is missing", column.heading()));
            let problem = problem.at(line, place.map_or(end, |heading| heading.span.start) + 1);
            let why = match near {
                Some(name) => format!("`{name}` is there instead"),
                None => "nothing on the page is known to stand under it".to_string(),
            };
            problem.because(why).key(column.heading()).allowed(required::<C>())
        });
        let twice = all().filter(|column| times(*column) > 1).map(|column| {
            let mut same = self.headings.iter().filter(|heading| heading.column == Some(column));
            let place = same.nth(1).map_or(0, |heading| heading.span.start) + 1;
            let problem = Problem::new(format!("the heading `{}` is there twice", column.heading())).at(line, place);
            problem.key(column.heading()).because("which of them counts is not known")
        });
        missing.chain(twice).collect()
    }

    /// Whether the page has a column.
    pub(crate) fn has(&self, column: C) -> bool {
        self.span(column).is_some()
    }

    /// Where the words of a heading stand.
    pub(crate) fn span(&self, column: C) -> Option<Range<usize>> {
        self.headings.iter().find(|heading| heading.column == Some(column)).map(|heading| heading.span.clone())
    }

    /// The words of a row with the headings over them, without those beyond the last heading.
    ///
    /// The error is the place of a word without a heading.
    pub(crate) fn cut(&self, row: &Grid) -> Result<Vec<Under<C>>, Range<usize>> {
        let end = self.headings.last().map_or(0, |heading| heading.span.end);
        let words = row.words().into_iter().filter(|word| word.start < end);
        words
            .map(|place| {
                let over = self.headings.iter().filter(|heading| overlap(&heading.span, &place) > 0);
                let best = over.clone().max_by_key(|heading| overlap(&heading.span, &place));
                let runs_on = over.count() > 1;
                match best.or_else(|| self.beside(&place)) {
                    Some(best) => Ok(Under { column: best.column, runs_on, place }),
                    None if self.lax && !row.text(place.clone()).contains(|ch: char| ch.is_ascii_digit()) => {
                        Ok(Under { column: None, runs_on, place })
                    }
                    None => Err(place),
                }
            })
            .collect()
    }

    /// The heading that a word between two of them touches, but for a blank, when it is nearer than the other.
    ///
    /// ASSUME: where the numbers of a page of today end is not known, only its headings are.
    fn beside(&self, word: &Range<usize>) -> Option<&Heading<C>> {
        let distance = |heading: &&Heading<C>| {
            word.start.saturating_sub(heading.span.end).max(heading.span.start.saturating_sub(word.end))
        };
        let mut near: Vec<&Heading<C>> = self.headings.iter().filter(|heading| distance(heading) <= 1).collect();
        near.sort_by_key(distance);
        match near[..] {
            [first, second, ..] if distance(&first) == distance(&second) => None,
            [first, ..] => Some(first),
            [] => None,
        }
    }

    /// The headings, known and unknown.
    #[cfg(test)]
    pub(crate) fn headings(&self) -> &[Heading<C>] {
        &self.headings
    }
}

/// How many columns two ranges have in one.
pub(crate) fn overlap(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
}
