//! The body of a page: marks, groups and headings over columns that are as wide as their contents.

/// On which side the texts of a column stand flush, and where its mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Flush left, marked at the start.
    Left,
    /// Flush left, without a mark.
    LeftUnmarked,
    /// Flush right, marked at the end.
    Right,
    /// Flush right, without a mark.
    RightUnmarked,
    /// Flush right, marked as the page's main column.
    Main,
}

/// A column: its heading, its form, and the texts in it, one per row.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    pub(crate) side: Side,
    pub(crate) least_width: usize,
    pub(crate) gap: usize,
    pub(crate) texts: Vec<String>,
}

/// A heading over several columns, or over one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) columns: usize,
}

/// Prints marks, groups, headings and rows; `groups` cover the columns one after the other.
pub(crate) fn print(columns: &[Column], groups: &[Group]) -> Vec<String> {
    let mut lines =
        vec![line(columns, mark), group_line(columns, groups), line(columns, |column| column.heading.into())];
    let rows = columns.iter().map(|column| column.texts.len()).max().unwrap_or(0);
    lines.extend((0..rows).map(|row| line(columns, |column| column.texts.get(row).cloned().unwrap_or_default())));
    lines
}

/// How wide the body is, up to the end of the last column.
pub(crate) fn width(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.gap + column.width()).sum()
}

impl Column {
    fn width(&self) -> usize {
        let texts = self.texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        texts.max(self.least_width).max(self.heading.len())
    }
}

fn line(columns: &[Column], text: impl Fn(&Column) -> String) -> String {
    let mut line = String::new();
    for column in columns {
        let (text, width, gap) = (text(column), column.width(), column.gap);
        match column.side {
            Side::Left | Side::LeftUnmarked => line.push_str(&format!("{:gap$}{text:<width$}", "")),
            Side::Right | Side::RightUnmarked | Side::Main => line.push_str(&format!("{:gap$}{text:>width$}", "")),
        }
    }
    line.trim_end().to_string()
}

fn mark(column: &Column) -> String {
    match column.side {
        Side::Left | Side::Right => ".".to_string(),
        Side::LeftUnmarked | Side::RightUnmarked => String::new(),
        Side::Main => "___".to_string(),
    }
}

fn group_line(columns: &[Column], groups: &[Group]) -> String {
    let mut line = String::new();
    let mut at = 0;
    for group in groups {
        let covered = &columns[at..at + group.columns];
        let gap = covered[0].gap;
        let span = width(covered) - gap;
        let text = if group.columns == 1 { group.name.to_string() } else { arrow(group.name, span) };
        line.push_str(&format!("{:gap$}{text:>span$}", ""));
        at += group.columns;
    }
    line
}

/// `<-Rate/s->`, or with room `<-- Device Descr. -->`.
pub(crate) fn arrow(name: &str, width: usize) -> String {
    let inner = width.saturating_sub(2);
    if name.len() + 4 <= inner {
        let padded = format!(" {name} ");
        format!("<{padded:-^inner$}>")
    } else {
        format!("<{name:-^inner$}>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_span_their_columns() {
        assert_eq!(arrow("Rate/s", 10), "<-Rate/s->");
        assert_eq!(arrow("Device Descr.", 21), "<-- Device Descr. -->");
        assert_eq!(arrow("Time (msec)", 29), "<------- Time (msec) ------->");
    }

    #[test]
    fn a_column_is_as_wide_as_its_widest_text() {
        let column = |texts: &[&str], side| Column {
            heading: "H",
            side,
            least_width: 2,
            gap: 1,
            texts: texts.iter().map(ToString::to_string).collect(),
        };
        let columns = [column(&["abc", "d"], Side::Left), column(&["1", "2345"], Side::Main)];
        let groups = [Group { name: "G", columns: 1 }, Group { name: "X", columns: 1 }];
        assert_eq!(print(&columns, &groups), [" .    ___", "   G    X", " H      H", " abc    1", " d   2345"]);
    }
}
