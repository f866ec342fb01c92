//! Header lines made into headings, in both ways in which RMF pages have them: stacked words, and groups over words.

use super::column::{Columned, named};
use super::layout::{Heading, overlap};
use crate::grid::Grid;
use std::ops::Range;

/// The anchor of stacked headings has this many of the words.
const ENOUGH_ANCHORS: usize = 3;

/// The most header lines above that line, and below it where headings are stacked.
const BESIDE: usize = 2;

/// Words above each other, each with its line.
type Stack = Vec<(usize, Range<usize>)>;

/// Whether a line is the one of stacked headings that has a word for most columns.
pub(crate) fn is_stacked_anchor<C: Columned>(line: &Grid, anchors: &[&str]) -> bool {
    let words = texts(line);
    let has = |anchor: &&&str| words.iter().any(|word| word.eq_ignore_ascii_case(anchor));
    anchors.iter().filter(has).count() >= ENOUGH_ANCHORS && is_header_line::<C>(line)
}

/// Whether a line has all the words by which the lowest line of grouped headings is known, and nothing but headings.
pub(crate) fn is_grouped_anchor(line: &Grid, anchors: &[&str]) -> bool {
    let words = texts(line);
    let has = |anchor: &&str| words.iter().any(|word| word.eq_ignore_ascii_case(anchor));
    anchors.iter().all(has) && !words.iter().any(|word| is_no_heading(word))
}

/// The lines of stacked headings around their anchor.
pub(crate) fn stacked_header<C: Columned>(lines: &[Grid], anchor: usize) -> Range<usize> {
    let above = (0..anchor).rev().take(BESIDE).take_while(|at| is_header_line::<C>(&lines[*at])).count();
    let below = (anchor + 1..lines.len()).take(BESIDE).take_while(|at| is_header_line::<C>(&lines[*at])).count();
    anchor - above..anchor + below + 1
}

/// The lines of groups above their anchor, and the anchor.
pub(crate) fn grouped_header<C: Columned>(lines: &[Grid], anchor: usize) -> Range<usize> {
    let above = (0..anchor).rev().take(BESIDE).take_while(|at| is_group_line::<C>(&lines[*at])).count();
    anchor - above..anchor + 1
}

/// Whether most words of a line are known from headings, and none begins like a number or like a word of a sentence.
fn is_header_line<C: Columned>(line: &Grid) -> bool {
    let words = texts(line);
    let in_heading = |word: &&String| {
        let mut all = C::ALL.iter().flat_map(|column| column.heading().split(' '));
        all.any(|known| known.eq_ignore_ascii_case(word))
    };
    let known = words.iter().filter(in_heading).count();
    known > 0 && known * 2 > words.len() && !words.iter().any(|word| is_no_heading(word))
}

/// Whether a line has the name of a group over columns, and nothing that names none.
fn is_group_line<C: Columned>(line: &Grid) -> bool {
    let names: Vec<String> = line.parts().into_iter().map(|part| without_dashes(&line.text(part))).collect();
    let known = |name: &String| C::ALL.iter().any(|column| of_group(name, column.grouped().0));
    names.iter().any(known) && !texts(line).iter().any(|word| is_no_heading(word))
}

fn is_no_heading(word: &str) -> bool {
    word.starts_with(|ch: char| ch.is_ascii_digit() || ch.is_lowercase())
}

fn texts(line: &Grid) -> Vec<String> {
    line.words().into_iter().map(|word| line.text(word)).collect()
}

/// Headings of stacked words; the line at `anchor` has a word for most columns.
pub(crate) fn stacked<C: Columned>(lines: &[Grid], anchor: usize) -> Vec<Heading<C>> {
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
    stacks.into_iter().map(|words| stacked_heading(lines, words)).collect()
}

fn stacked_heading<C: Columned>(lines: &[Grid], mut words: Stack) -> Heading<C> {
    words.sort_by_key(|(line, word)| (*line, word.start));
    let start = words.iter().map(|(_, word)| word.start).min().unwrap_or(0);
    let end = words.iter().map(|(_, word)| word.end).max().unwrap_or(0);
    let texts: Vec<String> = words.into_iter().map(|(line, word)| lines[line].text(word)).collect();
    let name = texts.join(" ");
    Heading { column: named(&name), name, span: start..end }
}

/// Headings of the line at `anchor`, each with the groups that stand over it.
pub(crate) fn grouped<C: Columned>(lines: &[Grid], anchor: usize) -> Vec<Heading<C>> {
    let line = &lines[anchor];
    let heading = |span: Range<usize>| {
        let own = line.text(span.clone());
        // The nearest line of groups says it; those above it gather groups.
        let over: Vec<String> = (0..anchor).rev().filter_map(|at| group_over(&lines[at], &span)).collect();
        let column = C::ALL.iter().copied().find(|column| {
            let (group, words) = column.grouped();
            words.eq_ignore_ascii_case(&own)
                && (group.is_empty() || over.first().is_some_and(|name| of_group(name, group)))
        });
        let name = over.first().filter(|name| !name.is_empty()).map_or(own.clone(), |group| format!("{group} {own}"));
        Heading { column, name, span }
    };
    line.parts().into_iter().flat_map(|part| split::<C>(line, part)).map(heading).collect()
}

/// A part of a heading line as headings: words with single blanks between them are known headings, or one word each.
fn split<C: Columned>(line: &Grid, part: Range<usize>) -> Vec<Range<usize>> {
    let words: Vec<Range<usize>> =
        line.words().into_iter().filter(|word| part.start <= word.start && word.end <= part.end).collect();
    let is_known = |from: usize, to: usize| {
        let text = line.text(words[from].start..words[to].end);
        C::ALL.iter().any(|column| column.grouped().1.eq_ignore_ascii_case(&text))
    };
    let (mut from, mut headings) = (0, Vec::new());
    while from < words.len() {
        let to = (from..words.len()).rev().find(|to| is_known(from, *to)).unwrap_or(from);
        headings.push(words[from].start..words[to].end);
        from = to + 1;
    }
    headings
}

/// The name of the group above a heading in a line; the dashes around a name are part of its place.
fn group_over(line: &Grid, span: &Range<usize>) -> Option<String> {
    let over = group_parts(line).into_iter().filter(|part| overlap(part, span) > 0);
    over.max_by_key(|part| overlap(part, span)).map(|part| without_dashes(&line.text(part)))
}

/// The names of groups in a line: a unit in parentheses ends one, as one blank may part `READ(MB/SEC) WRITE(MB/SEC)`.
fn group_parts(line: &Grid) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for word in line.words() {
        match groups.last_mut() {
            Some(last) if last.end + 1 == word.start && !line.text(last.clone()).ends_with(')') => last.end = word.end,
            Some(_) | None => groups.push(word),
        }
    }
    groups
}

fn without_dashes(name: &str) -> String {
    name.trim_matches(|ch: char| matches!(ch, '-' | ' ')).to_string()
}

/// Whether the name of a group, as printed, has the words by which it is known.
fn of_group(name: &str, known: &str) -> bool {
    !known.is_empty() && name.get(..known.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rmf::Standing;
    use crate::rmf_dasd::{Column, HEADER};

    /// The headings of z/OS V2R4, as its manual shows them.
    const LINES: [&str; 3] = [
        "                                                 DEVICE   AVG  AVG   AVG  AVG  AVG   AVG  AVG  AVG    %      %     %     AVG    %",
        "STORAGE   DEV  DEVICE   NUMBER  VOLUME PAV  LCU  ACTIVITY RESP IOSQ  CMR  DB   INT   PEND DISC CONN   DEV    DEV   DEV   NMBR   ANY",
        " GROUP    NUM  TYPE     OF CYL  SERIAL           RATE     TIME TIME  DLY  DLY  DLY   TIME TIME TIME   CONN   UTIL  RESV  ALLOC  ALLOC",
    ];

    fn grids(lines: &[&str]) -> Vec<Grid> {
        lines.iter().map(|line| Grid::of(line.as_bytes(), 0..line.len())).collect()
    }

    fn is_anchor(line: &Grid) -> bool {
        HEADER.is_anchor::<Column>(line)
    }

    #[test]
    fn every_heading_of_the_manual_is_known() {
        let lines = grids(&LINES);
        assert!(is_anchor(&lines[1]) && !is_anchor(&lines[0]) && !is_anchor(&lines[2]));
        assert_eq!(stacked_header::<Column>(&lines, 1), 0..3);
        let layout = HEADER.layout::<Column>(&lines, 1);
        let columns: Vec<Column> = layout.headings().iter().filter_map(|heading| heading.column).collect();
        assert_eq!(columns, Column::ALL);
        assert_eq!(layout.problems(2), []);
    }

    #[test]
    fn a_sentence_is_no_header() {
        assert!(!is_anchor(&grids(&["RESP is IOSQ PEND DISC CONN"])[0]));
    }

    #[test]
    fn a_row_is_no_header_line() {
        let lines = grids(&[LINES[1], "XTEST    02208 33903      3339  TRXSX9 1.0H 0016    0.001 .384"]);
        assert_eq!(stacked_header::<Column>(&lines, 0), 0..1);
    }

    #[test]
    fn words_belong_to_what_they_stand_under() {
        let layout = HEADER.layout::<Column>(&grids(&LINES), 1);
        let row = "XTEST    02208 33903      3339  TRXSX9 1.0H 0016     0.001 .384 .000 .128 .000 .000  .256 .000 .128";
        let row = &grids(&[row])[0];
        let cut = layout.cut(row).unwrap();
        let columns: Vec<Option<Column>> = cut.iter().map(|under| under.column).collect();
        assert_eq!(columns, Column::ALL[..16].iter().copied().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_misspelt_heading_is_named_with_what_stands_there() {
        let lines = grids(&[LINES[0], &LINES[1].replace("IOSQ", "IOSC"), LINES[2]]);
        let problems = HEADER.layout::<Column>(&lines, 1).problems(2);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].what, "the heading `AVG IOSQ TIME` is missing");
        assert_eq!(problems[0].why, "`AVG IOSC TIME` is there instead");
        assert_eq!(problems[0].column, Some(64));
    }

    #[test]
    fn a_group_names_every_column_under_it() {
        use crate::rmf_partition::{Column, HEADER};
        assert!(matches!(HEADER, Standing::Grouped { .. }));
        let lines = grids(&[
            "              PROCESSOR  DISPATCH TIME DATA  LOGICAL PROCESSORS  --- PHYSICAL PROCESSORS ---",
            "NAME     WGT  NUM  TYPE  EFFECTIVE    TOTAL  EFFECTIVE    TOTAL  LPAR MGMT  EFFECTIVE  TOTAL",
        ]);
        assert!(HEADER.is_anchor::<Column>(&lines[1]));
        assert_eq!(HEADER.header::<Column>(&lines, 1), 0..2);
        let layout = HEADER.layout::<Column>(&lines, 1);
        let known: Vec<&str> =
            layout.headings().iter().filter_map(|heading| heading.column).map(|column| column.heading()).collect();
        let expected = [
            "NAME",
            "WGT",
            "PROCESSOR NUM",
            "PROCESSOR TYPE",
            "DISPATCH TIME EFFECTIVE",
            "DISPATCH TIME TOTAL",
            "LOGICAL PROCESSORS EFFECTIVE",
            "LOGICAL PROCESSORS TOTAL",
            "PHYSICAL PROCESSORS LPAR MGMT",
            "PHYSICAL PROCESSORS EFFECTIVE",
            "PHYSICAL PROCESSORS TOTAL",
        ];
        assert_eq!(known, expected);
    }
}
