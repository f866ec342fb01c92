//! The body of a page with headings above each other, over columns as wide as their contents.

/// How many lines a heading has.
const LINES: usize = 3;

/// A column: its heading from the top line down, its form, and the texts in it, one per row.
pub(crate) struct Column {
    heading: [&'static str; LINES],
    right: bool,
    texts: Vec<String>,
}

impl Column {
    /// A column of words, which begin where the heading begins.
    pub(crate) fn words(heading: [&'static str; LINES], texts: impl Iterator<Item = String>) -> Self {
        Column { heading, right: false, texts: texts.collect() }
    }

    /// A column of numbers, which end where the heading ends.
    pub(crate) fn numbers(heading: [&'static str; LINES], texts: impl Iterator<Item = String>) -> Self {
        Column { heading, right: true, texts: texts.collect() }
    }

    fn width(&self) -> usize {
        let texts = self.texts.iter().map(|text| text.chars().count());
        texts.chain(self.heading.iter().map(|word| word.len())).max().unwrap_or(0)
    }
}

/// Prints headings and rows, a blank before every column.
pub(crate) fn print(columns: &[Column]) -> Vec<String> {
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let line = |text: &dyn Fn(&Column) -> String| {
        let mut line = String::new();
        for (column, width) in columns.iter().zip(&widths) {
            let text = text(column);
            let cell = if column.right { format!(" {text:>width$}") } else { format!(" {text:<width$}") };
            line.push_str(&cell);
        }
        line.trim_end().to_string()
    };
    let mut lines: Vec<String> = (0..LINES).map(|at| line(&|column| column.heading[at].to_string())).collect();
    let rows = columns.iter().map(|column| column.texts.len()).max().unwrap_or(0);
    lines.extend((0..rows).map(|row| line(&|column| column.texts.get(row).cloned().unwrap_or_default())));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_and_numbers_end_with_their_heading() {
        let texts = |texts: [&str; 2]| texts.map(String::from).into_iter();
        let columns = [
            Column::words(["", "VOLUME", "SERIAL"], texts(["A", "LONGNAME"])),
            Column::numbers(["AVG", "IOSQ", "TIME"], texts(["1", "12345"])),
        ];
        let expected = ["            AVG", " VOLUME    IOSQ", " SERIAL    TIME", " A            1", " LONGNAME 12345"];
        assert_eq!(print(&columns), expected);
    }
}
