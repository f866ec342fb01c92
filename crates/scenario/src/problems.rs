//! The problems found so far, each with its place, and the valid name nearest to what was written.

use crate::text::{At, Text};
use units::Problem;

/// How many problems are kept; a file with more is probably not a scenario, and the rest is counted.
const MOST: usize = 1_000;
/// How many pairs of names are compared in search of a nearest one, so that no input takes long.
const MOST_COMPARED: usize = 100_000;

/// The problems so far, in the order of discovery.
pub struct Problems<'a> {
    text: &'a Text<'a>,
    found: Vec<Problem>,
    uncounted: usize,
    /// Whether what is wrong with several tables at one place is one problem.
    once: bool,
    /// Places of which everything has been said.
    silent: Vec<At>,
    compared: usize,
}

impl<'a> Problems<'a> {
    /// No problems yet in this text.
    pub fn new(text: &'a Text<'a>) -> Problems<'a> {
        Problems { text, found: Vec::new(), uncounted: 0, once: false, silent: Vec::new(), compared: 0 }
    }

    /// One more, at this place.
    pub fn add(&mut self, at: At, problem: Problem) {
        if self.silent.contains(&at) {
            return;
        }
        let problem = self.text.place(problem, at);
        let same =
            |found: &Problem| (found.line, found.column, &found.what) == (problem.line, problem.column, &problem.what);
        if self.once && matches!(at, At::File(..)) && self.found.iter().any(same) {
            return;
        }
        if self.found.len() < MOST {
            self.found.push(problem);
        } else {
            self.uncounted += 1;
        }
    }

    /// From now on, a problem that several tables have at one place of the file is one problem.
    pub fn say_once(&mut self) {
        self.once = true;
    }

    /// From now on, further problems at this place are dropped.
    pub fn say_no_more(&mut self, at: At) {
        self.silent.push(at);
    }

    /// One more in another file, with its place.
    pub fn add_elsewhere(&mut self, problem: Problem) {
        if self.found.len() < MOST {
            self.found.push(problem);
        } else {
            self.uncounted += 1;
        }
    }

    /// Mistakes of syntax, which have their places already; what else is wrong in their lines follows from them.
    pub fn syntax(&mut self, mistakes: Vec<Problem>) {
        let broken = |line: Option<usize>| mistakes.iter().any(|mistake| mistake.line == line);
        self.found.retain(|problem| problem.line.is_none() || !broken(problem.line));
        self.found.extend(mistakes);
    }

    /// Whether nothing was found.
    pub fn none(&self) -> bool {
        self.found.is_empty()
    }

    /// The text they are in.
    pub fn text(&self) -> &'a Text<'a> {
        self.text
    }

    /// The problems, in the order of the file.
    pub fn finish(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| (problem.file.clone(), problem.line, problem.column));
        if self.uncounted > 0 {
            let more = format!("and {} more problems", self.uncounted);
            self.found.push(Problem::new(more).in_file(self.text.file));
        }
        self.found
    }

    /// The valid name nearest to what was written, if one is near enough to have been meant.
    pub fn nearest<'n>(&mut self, written: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
        if written.chars().count() > 64 {
            return None;
        }
        let budget = MOST_COMPARED.saturating_sub(self.compared);
        let compared = &mut self.compared;
        nearest(written, names.take(budget).inspect(|_| *compared += 1))
    }
}

/// The valid name nearest to what was written, if one is near enough to have been meant; the first 100,000 are compared.
pub fn nearest<'n>(written: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    if written.chars().count() > 64 {
        return None;
    }
    let mut best: Option<(f64, &str)> = None;
    for name in names.take(MOST_COMPARED) {
        let likeness = likeness(written, name);
        if likeness >= 0.6 && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, name));
        }
    }
    best.map(|(_, name)| name.to_string())
}

/// How like two names are, from 0 to 1: case counts little, and so does the beginning of a long name.
fn likeness(written: &str, name: &str) -> f64 {
    let (written, name) = (written.to_lowercase(), name.to_lowercase());
    let whole = strsim::normalized_damerau_levenshtein(&written, &name);
    let beginning =
        !written.is_empty() && written.len() >= 3 && (name.starts_with(&written) || written.starts_with(&name));
    if beginning { whole.max(0.7) } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_that_may_have_been_meant() {
        let text = Text::of(b"", "f", &[]).unwrap();
        let mut problems = Problems::new(&text);
        let names = ["device", "service", "control_unit"];
        for (written, nearest) in [
            ("servce", Some("service")),
            ("SERVICE", Some("service")),
            ("control", Some("control_unit")),
            ("zebra", None),
        ] {
            assert_eq!(problems.nearest(written, names.into_iter()).as_deref(), nearest, "{written}");
        }
    }

    #[test]
    fn no_input_makes_the_search_long() {
        let text = Text::of(b"", "f", &[]).unwrap();
        let mut problems = Problems::new(&text);
        let names: Vec<String> = (0..10_000).map(|n| format!("VOL{n}")).collect();
        for _ in 0..10_000 {
            problems.nearest("VOLUME", names.iter().map(String::as_str));
        }
        assert!(problems.compared <= MOST_COMPARED);
    }
}
