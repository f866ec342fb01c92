//! The columns of a page as its header gives them: words that stand above each other, and what stands under them.
//!
//! It leaves out constants: neither position nor width nor order of a column is known here beforehand.

use super::column::{Column, required};
use crate::grid::Grid;
use crate::nearest::nearest;
use std::ops::Range;
use units::Problem;

/// Words by which a header line is known; three of them make one.
const ANCHORS: [&str; 5] = ["RESP", "IOSQ", "PEND", "DISC", "CONN"];
const ENOUGH_ANCHORS: usize = 3;

/// So many header lines may stand above that line, and below it.
const BESIDE: usize = 2;

/// A heading: known or not, and the columns of the page that its words take.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Heading {
    column: Option<Column>,
    name: String,
    span: Range<usize>,
}

/// Words above each other, each with its line.
type Stack = Vec<(usize, Range<usize>)>;

/// The columns of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    headings: Vec<Heading>,
}

/// A word of a row, under the heading that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Under {
    /// The known column; none for a heading that is not read.
    pub(crate) column: Option<Column>,
    /// Where the word stands.
    pub(crate) place: Range<usize>,
    /// Whether it stands under a second heading too.
    pub(crate) runs_on: bool,
}

/// Whether a line is the one of a header that says RESP, IOSQ, PEND, DISC, CONN.
pub(crate) fn is_anchor(line: &Grid) -> bool {
    let words: Vec<String> = line.words().into_iter().map(|word| line.text(word)).collect();
    let has = |anchor: &&str| words.iter().any(|word| word.eq_ignore_ascii_case(anchor));
    ANCHORS.iter().filter(|anchor| has(anchor)).count() >= ENOUGH_ANCHORS && is_header_line(line)
}

/// The header lines around the one that [`is_anchor`].
pub(crate) fn header(lines: &[Grid], anchor: usize) -> Range<usize> {
    let above = (0..anchor).rev().take(BESIDE).take_while(|at| is_header_line(&lines[*at])).count();
    let below = (anchor + 1..lines.len()).take(BESIDE).take_while(|at| is_header_line(&lines[*at])).count();
    anchor - above..anchor + below + 1
}

/// Whether most words of a line are known from headings, in capitals, and none begins like a number.
fn is_header_line(line: &Grid) -> bool {
    let words: Vec<String> = line.words().into_iter().map(|word| line.text(word)).collect();
    let in_heading = |word: &&String| {
        let mut all = Column::ALL.into_iter().flat_map(|column| column.heading().split(' '));
        all.any(|known| known.eq_ignore_ascii_case(word))
    };
    let known = words.iter().filter(in_heading).count();
    known > 0 && known * 2 > words.len() && !words.iter().any(|word| is_no_heading(word))
}

fn is_no_heading(word: &str) -> bool {
    word.starts_with(|ch: char| ch.is_ascii_digit()) || word.contains(char::is_lowercase)
}

impl Layout {
    /// Reads header lines, of which the one at `anchor` has a word for most columns.
    pub(crate) fn read(lines: &[Grid], anchor: usize) -> Self {
        let own = lines[anchor].words();
        let mut stacks: Vec<Stack> = own.iter().map(|word| vec![(anchor, word.clone())]).collect();
        for (at, line) in lines.iter().enumerate().filter(|(at, _)| *at != anchor) {
            for word in line.words() {
                let over = (0..own.len()).rev().max_by_key(|nth| overlap(&own[*nth], &word));
                match over.filter(|nth| overlap(&own[*nth], &word) > 0) {
                    Some(nth) => stacks[nth].push((at, word)),
                    None => stacks.push(vec![(at, word)]),
                }
            }
        }
        let mut headings: Vec<Heading> = stacks.into_iter().map(|words| heading(lines, words)).collect();
        headings.sort_by_key(|heading| heading.span.start);
        Layout { headings }
    }

    /// The columns that a page must have and this one has not, and those that it has twice.
    pub(crate) fn problems(&self, line: usize) -> Vec<Problem> {
        let times = |column: Column| self.headings.iter().filter(|heading| heading.column == Some(column)).count();
        let unknown = || self.headings.iter().filter(|heading| heading.column.is_none());
        let end = self.headings.last().map_or(0, |heading| heading.span.end);
        let missing =
            Column::ALL.into_iter().filter(|column| column.is_required() && times(*column) == 0).map(|column| {
                let near = nearest(column.heading(), unknown().map(|heading| heading.name.as_str()));
                let place = near.and_then(|name| unknown().find(|heading| heading.name == name));
                let problem = Problem::new(format!("the heading `{}` is missing", column.heading()));
                let problem = problem.at(line, place.map_or(end, |heading| heading.span.start) + 1);
                let why = match near {
                    Some(name) => format!("`{name}` stands there instead"),
                    None => "nothing on the page is known to stand under it".to_string(),
                };
                problem.because(why).key(column.heading()).allowed(required())
            });
        let twice = Column::ALL.into_iter().filter(|column| times(*column) > 1).map(|column| {
            let mut same = self.headings.iter().filter(|heading| heading.column == Some(column));
            let place = same.nth(1).map_or(0, |heading| heading.span.start) + 1;
            let problem =
                Problem::new(format!("the heading `{}` stands there twice", column.heading())).at(line, place);
            problem.key(column.heading()).because("which of them counts is not known")
        });
        missing.chain(twice).collect()
    }

    /// Whether the page has a column.
    pub(crate) fn has(&self, column: Column) -> bool {
        self.headings.iter().any(|heading| heading.column == Some(column))
    }

    /// Where the words of a heading stand.
    pub(crate) fn span(&self, column: Column) -> Option<Range<usize>> {
        self.headings.iter().find(|heading| heading.column == Some(column)).map(|heading| heading.span.clone())
    }

    /// The words of a row with the headings over them; what stands beyond the last heading is left out.
    ///
    /// The error is the place of a word that stands under no heading.
    pub(crate) fn cut(&self, row: &Grid) -> Result<Vec<Under>, Range<usize>> {
        let end = self.headings.last().map_or(0, |heading| heading.span.end);
        let words = row.words().into_iter().filter(|word| word.start < end);
        words
            .map(|place| {
                let over = self.headings.iter().filter(|heading| overlap(&heading.span, &place) > 0);
                let best = over.clone().max_by_key(|heading| overlap(&heading.span, &place));
                let best = best.or_else(|| self.beside(&place)).ok_or(place.clone())?;
                Ok(Under { column: best.column, runs_on: over.count() > 1, place })
            })
            .collect()
    }

    /// The heading that a word between two of them touches, but for a blank, when it is nearer than the other.
    ///
    /// ASSUME: where the numbers of a page of today end is not known, only its headings are.
    fn beside(&self, word: &Range<usize>) -> Option<&Heading> {
        let distance = |heading: &&Heading| {
            word.start.saturating_sub(heading.span.end).max(heading.span.start.saturating_sub(word.end))
        };
        let mut near: Vec<&Heading> = self.headings.iter().filter(|heading| distance(heading) <= 1).collect();
        near.sort_by_key(distance);
        match near[..] {
            [first, second, ..] if distance(&first) == distance(&second) => None,
            [first, ..] => Some(first),
            [] => None,
        }
    }
}

fn heading(lines: &[Grid], mut words: Stack) -> Heading {
    words.sort_by_key(|(line, word)| (*line, word.start));
    let start = words.iter().map(|(_, word)| word.start).min().unwrap_or(0);
    let end = words.iter().map(|(_, word)| word.end).max().unwrap_or(0);
    let texts: Vec<String> = words.into_iter().map(|(line, word)| lines[line].text(word)).collect();
    let name = texts.join(" ");
    Heading { column: Column::named(&name), name, span: start..end }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The headings of z/OS V2R4, as its manual shows them.
    const HEADER: [&str; 3] = [
        "                                                 DEVICE   AVG  AVG   AVG  AVG  AVG   AVG  AVG  AVG    %      %     %     AVG    %",
        "STORAGE   DEV  DEVICE   NUMBER  VOLUME PAV  LCU  ACTIVITY RESP IOSQ  CMR  DB   INT   PEND DISC CONN   DEV    DEV   DEV   NMBR   ANY",
        " GROUP    NUM  TYPE     OF CYL  SERIAL           RATE     TIME TIME  DLY  DLY  DLY   TIME TIME TIME   CONN   UTIL  RESV  ALLOC  ALLOC",
    ];

    fn grids(lines: &[&str]) -> Vec<Grid> {
        lines.iter().map(|line| Grid::of(line.as_bytes(), 0..line.len())).collect()
    }

    #[test]
    fn every_heading_of_the_manual_is_known() {
        let lines = grids(&HEADER);
        assert!(is_anchor(&lines[1]) && !is_anchor(&lines[0]) && !is_anchor(&lines[2]));
        assert_eq!(header(&lines, 1), 0..3);
        let layout = Layout::read(&lines, 1);
        let columns: Vec<Column> = layout.headings.iter().filter_map(|heading| heading.column).collect();
        assert_eq!(columns, Column::ALL);
        assert_eq!(layout.problems(2), []);
    }

    #[test]
    fn a_sentence_is_no_header() {
        let lines = grids(&["RESP is IOSQ PEND DISC CONN"]);
        assert!(!is_anchor(&lines[0]));
    }

    #[test]
    fn a_row_is_no_header_line() {
        let lines = grids(&[HEADER[1], "XTEST    02208 33903      3339  TRXSX9 1.0H 0016    0.001 .384"]);
        assert_eq!(header(&lines, 0), 0..1);
    }

    #[test]
    fn words_belong_to_what_they_stand_under() {
        let layout = Layout::read(&grids(&HEADER), 1);
        let row = "XTEST    02208 33903      3339  TRXSX9 1.0H 0016     0.001 .384 .000 .128 .000 .000  .256 .000 .128";
        let row = &grids(&[row])[0];
        let cut = layout.cut(row).unwrap();
        let columns: Vec<Option<Column>> = cut.iter().map(|under| under.column).collect();
        assert_eq!(columns, Column::ALL[..16].iter().copied().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_misspelt_heading_is_named_with_what_stands_there() {
        let lines = grids(&[HEADER[0], &HEADER[1].replace("IOSQ", "IOSC"), HEADER[2]]);
        let problems = Layout::read(&lines, 1).problems(2);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].what, "the heading `AVG IOSQ TIME` is missing");
        assert_eq!(problems[0].why, "`AVG IOSC TIME` stands there instead");
        assert_eq!(problems[0].column, Some(64));
    }
}
