//! Scenario files: TOML with units in it, read as written, compared with the language, resolved, made into a plan.
//!
//! The data path: `text` -> `written` -> `set` -> `numbered` -> `check` (key by key, against `language`) -> `agree`
//! (relations between tables) -> `plan`, with `write`, `explain` and `view` beside it.  Written and resolved values are kept, so
//! that `edit` changes a scenario without reading its text again.  `schema` and `reference` are made from the same
//! `language`, which is public for other uses.

mod agree;
mod beside;
mod channel_types;
mod check;
mod document;
mod edit;
mod explain;
mod filed;
mod given;
mod growth;
mod guest_types;
pub mod language;
mod limit;
mod load;
mod lockstep;
mod machines;
mod mark;
mod numbered;
mod pattern;
mod plan;
mod problems;
mod reference;
mod reference_page;
mod replay;
mod resolved;
mod schema;
mod screens;
mod set;
mod starter;
mod text;
mod view;
mod write;
mod written;

pub use channel_types::published as published_channels;
pub use document::Edit;
pub use explain::{Explained, Role};
pub use filed::{Named, named_files};
pub use given::Given;
pub use reference::{Row, reference};
pub use reference_page::{REFERENCE_PAGES, reference_pages};
pub use replay::{Replay, Targets};
pub use schema::schema;
pub use starter::{starter, starters};
pub use text::File;
pub use view::{Class, Field, Plain, classes, outline};
pub use write::{bare_or_quoted, quote};

use document::Document;
use language::{INTERVAL, INTERVALS, MEASURED, REPLICATIONS, SAMPLE, TITLE, WARM_UP};
use machine::plan::Plan;
use problems::Problems;
use resolved::Table;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use text::{At, Text};
use units::{Problem, Span};

/// A scenario that was read, checked and resolved.
#[derive(Clone, Debug)]
pub struct Scenario {
    document: Arc<Document>,
    root: Arc<Table>,
    name: String,
    resolved: String,
    checksum: String,
    explained: Vec<Explained>,
    measure: Measure,
    plan: Plan,
    replays: Vec<Replay>,
    warnings: Vec<Problem>,
    beside: beside::Beside,
}

/// How a scenario is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// How long each interval is.
    pub interval: Span,
    /// How many intervals follow each other.
    pub intervals: u32,
    /// The cut at the beginning.
    pub warm_up: WarmUp,
    /// How many independent runs.
    pub replications: u32,
    /// How often the control program samples queues.
    pub sample: Span,
}

/// The part that is simulated first and not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarmUp {
    /// As much as pilot runs show to be needed.
    Auto,
    /// This span.
    Fixed(Span),
}

impl Scenario {
    /// Reads a scenario with overrides such as `volume.*.gap="0.1 ms"`; all that is wrong with it if anything is.
    pub fn read(bytes: &[u8], file: &str, set: &[String]) -> Result<Scenario, Vec<Problem>> {
        Scenario::read_with(bytes, file, set, &[])
    }

    /// The same with what is in the files that it names ([`named_files`]).
    pub fn read_with(bytes: &[u8], file: &str, set: &[String], files: &[File]) -> Result<Scenario, Vec<Problem>> {
        let text = Text::of(bytes, file, set)?.with(files);
        let mut problems = Problems::new(&text);
        let (mut written, syntax) = written::read(&text);
        let complete = syntax.is_empty();
        if complete && written.0.is_empty() {
            let problem = Problem::new("the file says nothing").because("a scenario has volumes and guests at least");
            problems.add(At::Nowhere, problem.allowed(["what `slicewright new` prints"]));
            return Err(problems.finish());
        }
        screens::rename(&mut written, &mut problems);
        set::apply(&mut written, &mut problems);
        if !complete {
            check::scenario(&numbered::expanded(&written, &mut problems), complete, &mut problems);
            problems.syntax(syntax);
            return Err(problems.finish());
        }
        Scenario::resolve(Document::of(&text, written), problems)
    }

    /// Checks what is written, works out the rest, and makes the plan; every problem if there is any.
    fn resolve(document: Document, mut problems: Problems<'_>) -> Result<Scenario, Vec<Problem>> {
        let text = problems.text();
        let mut root = check::scenario(&numbered::expanded(&document.written, &mut problems), true, &mut problems);
        let beside = beside::taken_out(&mut root);
        let names = agree::scenario(&mut root, &mut problems);
        if !problems.none() {
            return Err(problems.finish());
        }
        Ok(Scenario::of(document, root, &names, text, beside))
    }

    fn of(document: Document, root: Table, names: &agree::Names, text: &Text<'_>, beside: beside::Beside) -> Scenario {
        let mut warnings = Problems::new(text);
        let plan = plan::plan(&root, names);
        agree::doubts(&root, names, &mut warnings);
        load::check(&root, &plan, &mut warnings);
        lockstep::check(&root, &plan, &mut warnings);
        let resolved = write::toml(&root, true);
        let digest = Sha256::digest(resolved.as_bytes());
        Scenario {
            name: root.text(&TITLE).unwrap_or_default().to_string(),
            checksum: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            explained: explain::rows(&root),
            measure: measure(&root),
            plan,
            replays: replay::replays(&root, text),
            warnings: warnings.finish(),
            beside,
            resolved,
            document: Arc::new(document),
            root: Arc::new(root),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The complete scenario as TOML, every default written out; reading it gives this scenario.
    pub fn resolved_toml(&self) -> &str {
        &self.resolved
    }

    /// The same without marks, so that it is equal whether a value was written, set or left to its default.
    pub fn unmarked_toml(&self) -> String {
        write::toml(&self.root, false)
    }

    /// SHA-256 of [`Scenario::resolved_toml`], in hexadecimal.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// The axes of its sweep as `--set` has them, `KEY=VALUES`; they are not part of the resolved scenario.
    pub fn swept(&self) -> &[String] {
        &self.beside.swept
    }

    /// Where every number comes from.
    pub fn explain(&self) -> &[Explained] {
        &self.explained
    }

    /// How it is measured.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// The machine to be built.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Probable mistakes in a scenario that can be simulated.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }
}

fn measure(root: &Table) -> Measure {
    let table = root.table(&MEASURED).expect("it has defaults");
    let span = |key| table.span(key).expect("it was checked");
    let count = |key| table.count(key).expect("it was checked");
    Measure {
        interval: span(&INTERVAL),
        intervals: count(&INTERVALS),
        warm_up: table.span(&WARM_UP).map_or(WarmUp::Auto, WarmUp::Fixed),
        replications: count(&REPLICATIONS),
        sample: span(&SAMPLE),
    }
}
