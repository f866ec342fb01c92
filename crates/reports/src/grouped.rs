//! The body of a page with headings under the names of groups, over columns as wide as their contents.

/// How many blanks part two columns: one blank is part of a heading.
const GAP: usize = 2;

/// A column: the group over it (empty where there is none), its heading, its form, and the texts in it, one per row.
pub(crate) struct Column {
    group: &'static str,
    heading: &'static str,
    right: bool,
    texts: Vec<String>,
}

impl Column {
    /// A column of words, which begin where the heading begins.
    pub(crate) fn words(group: &'static str, heading: &'static str, texts: impl Iterator<Item = String>) -> Self {
        Column { group, heading, right: false, texts: texts.collect() }
    }

    /// A column of numbers, which end where the heading ends.
    pub(crate) fn numbers(group: &'static str, heading: &'static str, texts: impl Iterator<Item = String>) -> Self {
        Column { group, heading, right: true, texts: texts.collect() }
    }

    fn own_width(&self) -> usize {
        self.texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(self.heading.len())
    }
}

/// Prints groups, headings and rows; the last row begins with `summary` in place of its first columns, which are blank.
pub(crate) fn print(columns: &[Column], summary: &str) -> Vec<String> {
    let widths = widths(columns, summary);
    let line = |text: &dyn Fn(&Column) -> String| {
        let cells = columns.iter().zip(&widths).map(|(column, width)| {
            let text = text(column);
            if column.right { format!("{text:>width$}") } else { format!("{text:<width$}") }
        });
        format!(" {}", cells.collect::<Vec<_>>().join(&" ".repeat(GAP))).trim_end().to_string()
    };
    let mut lines = vec![group_line(columns, &widths), line(&|column| column.heading.to_string())];
    let rows = columns.iter().map(|column| column.texts.len()).max().unwrap_or(0);
    lines.extend((0..rows).map(|row| line(&|column| column.texts.get(row).cloned().unwrap_or_default())));
    if let Some(last) = lines.last_mut().filter(|_| !summary.is_empty()) {
        *last = format!(" {summary}{}", last.get(summary.len() + 1..).unwrap_or(""));
    }
    lines
}

/// Widths of the columns, the last one of a group as wide as its name asks for, the first as wide as the summary.
fn widths(columns: &[Column], summary: &str) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(Column::own_width).collect();
    for group in groups(columns) {
        let missing = columns[group.start].group.len().saturating_sub(span(&widths[group.clone()]));
        widths[group.end - 1] += missing;
    }
    let room: usize = columns.iter().zip(&widths).take_while(|(column, _)| !column.right).map(|(_, w)| w + GAP).sum();
    if let Some(first) = widths.first_mut() {
        *first += summary.len().saturating_sub(room.saturating_sub(GAP));
    }
    widths
}

/// Columns beside each other of one group.
fn groups(columns: &[Column]) -> Vec<std::ops::Range<usize>> {
    let (mut groups, mut from) = (Vec::new(), 0);
    while from < columns.len() {
        let alike = columns[from..].iter().take_while(|column| column.group == columns[from].group).count();
        groups.push(from..from + alike);
        from += alike;
    }
    groups.retain(|group| !columns[group.start].group.is_empty());
    groups
}

fn span(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Each name amid dashes over all its columns.
fn group_line(columns: &[Column], widths: &[usize]) -> String {
    let mut line = String::new();
    for group in groups(columns) {
        let start = 1 + widths[..group.start].iter().map(|width| width + GAP).sum::<usize>();
        let (name, width) = (columns[group.start].group, span(&widths[group.clone()]));
        let text = if name.len() + 4 <= width { format!("{:-^width$}", format!(" {name} ")) } else { name.to_string() };
        line.push_str(&" ".repeat(start - line.len()));
        line.push_str(&text);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_span_their_columns_and_the_summary_its_own() {
        let texts = |texts: [&str; 2]| texts.map(String::from).into_iter();
        let columns = [
            Column::words("CPU", "NUM", texts(["0", ""])),
            Column::numbers("TIME %", "LPAR BUSY", texts(["50.00", "50.00"])),
            Column::numbers("TIME %", "MVS BUSY", texts(["93.12", "93.12"])),
            Column::numbers("LOG PROC", "SHARE %", texts(["100.0", "100.0"])),
        ];
        let expected = [
            " -- CPU ---  ----- TIME % ------  LOG PROC",
            " NUM         LPAR BUSY  MVS BUSY   SHARE %",
            " 0               50.00     93.12     100.0",
            " TOTAL/MEAN      50.00     93.12     100.0",
        ];
        assert_eq!(print(&columns, "TOTAL/MEAN"), expected);
    }
}
