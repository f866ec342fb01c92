//! The columns of a page as its own header gives them, at any width, and the cut of a row into their fields.

use super::column::{Column, Holds};
use crate::grid::Grid;
use crate::nearest::nearest;
use std::ops::Range;
use units::Problem;

/// A heading: known or not, the place of its word, and the end of the column under it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Heading {
    column: Option<Column>,
    word: Range<usize>,
    /// The end of the numbers under it: its mark's end on the line of marks, else the end of the word.
    edge: usize,
}

/// The columns of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    headings: Vec<Heading>,
}

/// A field as cut from a row: its zone, and whether its text touches what is printed beside the zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) column: Column,
    pub(crate) zone: Range<usize>,
    /// Where text under this heading begins.
    pub(crate) start: usize,
    pub(crate) runs_on: bool,
}

impl Layout {
    /// Reads the line of marks, the line of groups and the line of headings; the first two may be missing.
    pub(crate) fn read(marks: Option<&Grid>, groups: Option<&Grid>, headings: &Grid) -> Self {
        let words = headings.words();
        let marks = marks.map(Grid::words).unwrap_or_default();
        let names: Vec<String> = words.iter().map(|word| headings.text(word.clone())).collect();
        let mut known = vec![None; words.len()];
        for column in Column::ALL {
            let same = (0..words.len()).filter(|at| names[*at].eq_ignore_ascii_case(column.heading()));
            let under = |at: &usize| groups.is_some_and(|line| stands_under(line, &words[*at], column.group()));
            let best = same.clone().find(under).or_else(|| same.clone().next());
            if let Some(at) = best {
                known[at] = Some(column);
            }
        }
        let edges = words.iter().enumerate().map(|(at, word)| {
            let limit = words.get(at + 1).map_or(usize::MAX, |next| next.start);
            let own = marks.iter().filter(|mark| (word.start..limit).contains(&mark.start));
            own.map(|mark| mark.end.min(limit)).max().unwrap_or(word.end)
        });
        let edges: Vec<usize> = edges.collect();
        let headings = words.into_iter().zip(known).zip(edges);
        Layout { headings: headings.map(|((word, column), edge)| Heading { column, word, edge }).collect() }
    }

    /// The columns that a page must have and this one has not.
    pub(crate) fn problems(&self, line: usize, headings: &Grid) -> Vec<Problem> {
        let has = |column: Column| self.headings.iter().any(|heading| heading.column == Some(column));
        let unknown: Vec<String> = self
            .headings
            .iter()
            .filter(|heading| heading.column.is_none())
            .map(|heading| headings.text(heading.word.clone()))
            .collect();
        let missing = Column::ALL.into_iter().filter(|column| column.is_required() && !has(*column));
        missing
            .map(|column| {
                let near = nearest(column.heading(), unknown.iter().map(String::as_str)).map(String::from);
                let at = near
                    .as_ref()
                    .and_then(|word| self.headings.iter().find(|h| headings.text(h.word.clone()) == *word));
                let place = at.map_or(headings.len(), |heading| heading.word.start) + 1;
                let problem = Problem::new(format!("the heading `{}` is missing", column.heading())).at(line, place);
                match near {
                    Some(word) => problem.because(format!("`{word}` is there instead")),
                    None => problem.because("nothing on the page is known to stand under it"),
                }
                .key(column.heading())
                .allowed(required())
            })
            .collect()
    }

    /// Where the last heading ends, known or not.
    pub(crate) fn end(&self) -> usize {
        self.headings.last().map_or(0, |heading| heading.edge.max(heading.word.end))
    }

    /// Cuts a row into the fields of the known columns, in the order of the page.
    pub(crate) fn cut(&self, row: &Grid) -> Vec<Cut> {
        let zones: Vec<Range<usize>> =
            (0..self.headings.len()).map(|at| self.start_of(at, row)..self.end_of(at, row)).collect();
        let cuts = self.headings.iter().enumerate().filter_map(|(at, heading)| {
            let column = heading.column?;
            let zone = zones[at].clone();
            let touching = |place: usize| place > 0 && !row.is_blank(place - 1) && !row.is_blank(place);
            let after_unknown = at > 0 && self.headings[at - 1].column.is_none();
            let runs_on = touching(zone.end) || (after_unknown && touching(zone.start));
            Some(Cut { column, zone, start: heading.word.start, runs_on })
        });
        cuts.collect()
    }

    /// Where the field of a heading begins: text at its heading, numbers where the field before them ends.
    fn start_of(&self, at: usize, row: &Grid) -> usize {
        let heading = &self.headings[at];
        let Some(before) = at.checked_sub(1).map(|at| &self.headings[at]) else { return 0 };
        match (is_text(before), is_text(heading)) {
            (_, true) => heading.word.start,
            (false, false) => before.edge,
            (true, false) => {
                let mut start = heading.word.start;
                while start > before.word.end && !row.is_blank(start) && !row.is_blank(start - 1) {
                    start -= 1;
                }
                start
            }
        }
    }

    fn end_of(&self, at: usize, row: &Grid) -> usize {
        let heading = &self.headings[at];
        match (is_text(heading), at + 1 < self.headings.len()) {
            (false, _) => heading.edge,
            (true, true) => self.start_of(at + 1, row),
            (true, false) => row.len().max(heading.word.end),
        }
    }
}

/// The headings that a page must have.
pub(crate) fn required() -> impl Iterator<Item = &'static str> {
    Column::ALL.into_iter().filter(|column| column.is_required()).map(Column::heading)
}

fn is_text(heading: &Heading) -> bool {
    heading.column.is_some_and(|column| column.holds() == Holds::Text)
}

/// Whether the group with this name spans a place: `<- ... ->` as one, else a word.
fn stands_under(groups: &Grid, place: &Range<usize>, name: &str) -> bool {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for word in groups.words() {
        let inside =
            spans.last().is_some_and(|span| groups.char(span.start) == '<' && groups.char(span.end - 1) != '>');
        match spans.last_mut() {
            Some(span) if inside => span.end = word.end,
            Some(_) | None => spans.push(word),
        }
    }
    let over = spans.into_iter().find(|span| span.start < place.end && place.start < span.end);
    over.is_some_and(|span| groups.text(span).contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: &str = " .    .                     .      ___     .    .    .    .    .    .    .    .";
    const GROUPS: &str = " <-- Device Descr. -->  Mdisk Pa- <-Rate/s-> <------- Time (msec) -------> Req.";
    const HEADINGS: &str = " Addr Type   Label/ID   Links ths  I/O Avoid Pend Disc Conn Serv Resp CUWt Qued";

    fn grid(line: &str) -> Grid {
        Grid::of(line.as_bytes(), 0..line.len())
    }

    fn fields(layout: &Layout, row: &str) -> Vec<(Column, String)> {
        let row = grid(row);
        layout.cut(&row).into_iter().map(|cut| (cut.column, row.text(cut.zone))).collect()
    }

    #[test]
    fn numbers_end_where_their_heading_ends() {
        let layout = Layout::read(Some(&grid(MARKS)), Some(&grid(GROUPS)), &grid(HEADINGS));
        let fields = fields(&layout, " 5249 ->522A BWPVS0         0   4  465    .0   .2   .3  1.5  2.0  2.9   .0  .00");
        let texts: Vec<&str> = fields.iter().map(|(_, text)| text.as_str()).collect();
        let expected =
            ["5249", "->522A", "BWPVS0", "0", "4", "465", ".0", ".2", ".3", "1.5", "2.0", "2.9", ".0", ".00"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn another_width_and_another_order_are_read_alike() {
        let layout = Layout::read(
            None,
            None,
            &grid("   Qued  Addr      Type       Label/ID         I/O      New   Pend   Disc   Conn   Serv"),
        );
        let fields =
            fields(&layout, "   1.84  522A      3390-3     BWPVS0           755       77     .2     .2     .9    1.3");
        let text = |column| fields.iter().find(|(known, _)| *known == column).map(|(_, text)| text.as_str());
        assert_eq!(text(Column::Queued), Some("1.84"));
        assert_eq!(text(Column::Rate), Some("755"));
        assert_eq!(text(Column::Service), Some("1.3"));
    }

    #[test]
    fn of_two_equal_headings_the_one_under_its_group_counts() {
        let layout = Layout::read(
            None,
            Some(&grid(" <- Device ->            <Other> <Rate/s->")),
            &grid(" Addr Type   Label/ID        I/O       I/O Pend Disc Conn Serv Qued"),
        );
        let fields = fields(&layout, " 522A 3390   A                 9       711   .2   .2   .9  1.3  1.8");
        assert_eq!(fields[3], (Column::Rate, "711".into()));
    }

    #[test]
    fn a_mark_beyond_the_heading_moves_the_edge() {
        let marks = grid("                                .");
        let layout = Layout::read(Some(&marks), None, &grid(" Addr Type   Label/ID      I/O       Pend"));
        assert_eq!(fields(&layout, " 522A 3390   BWPVS0           711     .2")[3].1, "711");
    }

    #[test]
    fn a_missing_heading_is_named_with_what_stands_there() {
        let headings = grid(" Addr Type   Label/ID   Links ths  I/O Avoid Pend Disc Conn Srv Resp CUWt Qued");
        let problems = Layout::read(None, None, &headings).problems(10, &headings);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].what, "the heading `Serv` is missing");
        assert_eq!((problems[0].line, problems[0].column), (Some(10), Some(61)));
    }
}
