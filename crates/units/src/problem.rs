//! One problem of an input: where, what, why, what is allowed, and the nearest valid name.

use std::fmt;

/// How many problems a list prints before it only counts the rest.
pub const MOST_PRINTED: usize = 50;

/// One problem with an input; everything but `what` may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The file as it was named to us; empty when the input has no name.
    pub file: String,
    /// The line, counted from one.
    pub line: Option<usize>,
    /// The column in characters, counted from one.
    pub column: Option<usize>,
    /// The key, heading or field that is meant; empty when it is the input as a whole.
    pub key: String,
    /// The error, as a statement: "`9x4` is not a number".
    pub what: String,
    /// Why that is a problem; empty when `what` says it all.
    pub why: String,
    /// The accepted values.
    pub allowed: Vec<String>,
    /// The valid name nearest to what was written.
    pub nearest: Option<String>,
    /// The remedy, where that is something to do and not another value; empty otherwise.
    pub remedy: String,
}

impl Problem {
    /// A problem of which only the statement is known so far.
    pub fn new(what: impl Into<String>) -> Self {
        Problem { what: what.into(), ..Problem::default() }
    }

    /// The same problem in a named file.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = file.into();
        self
    }

    /// The same problem at a line and a column, both counted from one.
    pub fn at(mut self, line: usize, column: usize) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The same problem with the key it belongs to.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// The same problem with its reason.
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = why.into();
        self
    }

    /// The same problem with what would have been accepted.
    pub fn allowed<I: IntoIterator<Item: Into<String>>>(mut self, allowed: I) -> Self {
        self.allowed = allowed.into_iter().map(Into::into).collect();
        self
    }

    /// The same problem with the valid name nearest to what was written.
    pub fn nearest(mut self, nearest: Option<impl Into<String>>) -> Self {
        self.nearest = nearest.map(Into::into);
        self
    }

    /// The same problem with what helps.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// "file:line:column", as far as it is known.
    fn place(&self) -> String {
        let numbers = [self.line, self.column];
        let parts = std::iter::once(self.file.clone()).filter(|file| !file.is_empty());
        parts.chain(numbers.into_iter().flatten().map(|n| n.to_string())).collect::<Vec<_>>().join(":")
    }
}

impl fmt::Display for Problem {
    /// `file:line:column: key: what; why; allowed: a, b; did you mean c?; remedy`, without the parts that are absent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [self.place().as_str(), self.key.as_str()] {
            if !part.is_empty() {
                write!(f, "{part}: ")?;
            }
        }
        write!(f, "{}", self.what)?;
        if !self.why.is_empty() {
            write!(f, "; {}", self.why)?;
        }
        if !self.allowed.is_empty() {
            write!(f, "; allowed: {}", self.allowed.join(", "))?;
        }
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean {nearest}?")?;
        }
        if self.remedy.is_empty() { Ok(()) } else { write!(f, "; {}", self.remedy) }
    }
}

impl std::error::Error for Problem {}

/// The problems as a list of lines, at most [`MOST_PRINTED`] of them and then how many more there are.
pub fn listing(problems: &[Problem]) -> String {
    let mut lines: Vec<String> = problems.iter().take(MOST_PRINTED).map(Problem::to_string).collect();
    if problems.len() > MOST_PRINTED {
        lines.push(format!("and {} more", problems.len() - MOST_PRINTED));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_problem_reads_as_one_line() {
        let problem = Problem::new("unknown key `servce`")
            .in_file("pool.toml")
            .at(12, 3)
            .key("volume.BWPVS0")
            .because("a volume has no such key")
            .allowed(["device", "service"])
            .nearest(Some("service"));
        assert_eq!(
            problem.to_string(),
            "pool.toml:12:3: volume.BWPVS0: unknown key `servce`; a volume has no such key; \
             allowed: device, service; did you mean service?"
        );
    }

    #[test]
    fn absent_parts_leave_no_trace() {
        assert_eq!(Problem::new("the file is empty").to_string(), "the file is empty");
        assert_eq!(Problem::new("no rows").in_file("page.txt").to_string(), "page.txt: no rows");
        assert_eq!(Problem::new("no rows").at(3, 1).to_string(), "3:1: no rows");
    }

    #[test]
    fn a_long_list_is_cut_and_counted() {
        let many = vec![Problem::new("bad"); MOST_PRINTED + 7];
        let text = listing(&many);
        assert_eq!(text.lines().count(), MOST_PRINTED + 1);
        assert!(text.ends_with("\nand 7 more"));
    }
}
