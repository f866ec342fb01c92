//! The scenario language as data: its tables, their keys, and what each key may hold.

mod cec;
mod cgroup;
mod change;
mod channel;
mod class;
mod control_program;
mod distribution;
mod enqueue;
mod exit;
mod front_end;
mod guest;
mod io;
mod io_limit;
mod left_open;
mod lpar_group;
mod machine;
mod measure;
mod minidisk;
mod network;
mod notes;
mod paging;
mod partition;
mod pause_loop;
mod purchase;
mod resource;
mod rmf;
mod root;
mod screen;
mod serialization;
mod spin_lock;
mod step;
mod sweep;
mod thread_lock;
mod topology;
mod virtual_machine;

pub use cec::*;
pub use cgroup::*;
pub use change::*;
pub use channel::*;
pub use class::*;
pub use control_program::*;
pub use distribution::*;
pub use enqueue::*;
pub use exit::*;
pub use front_end::*;
pub use guest::*;
pub use io::*;
pub use io_limit::*;
pub use left_open::*;
pub use lpar_group::*;
pub use machine::*;
pub use measure::*;
pub use minidisk::*;
pub use network::*;
pub use notes::*;
pub use paging::*;
pub use partition::*;
pub use pause_loop::*;
pub use purchase::*;
pub use resource::*;
pub use rmf::*;
pub use root::*;
pub use screen::*;
pub use serialization::*;
pub use spin_lock::*;
pub use step::*;
pub use sweep::*;
pub use thread_lock::*;
pub use topology::*;
pub use virtual_machine::*;

/// A table of the language.
#[derive(Debug)]
pub struct Table {
    /// How it is called, as in `[[volume]]`.
    pub name: &'static str,
    /// Its place in the machine, in one line.
    pub doc: &'static str,
    /// Its keys, in the order in which they are documented and written.
    pub keys: &'static [&'static Key],
    /// Keys of which only one may be given.
    pub choices: &'static [Choice],
    /// Whether it may carry one of [`NOTES`].
    pub notes: bool,
}

/// Keys that exclude each other.
#[derive(Debug)]
pub struct Choice {
    /// The keys.
    pub keys: &'static [&'static Key],
    /// Whether one of them must be given.
    pub needed: bool,
    /// Why only one.
    pub why: &'static str,
}

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// The values that it may hold.
    pub kind: Kind,
    /// The consequence when it is not written.
    pub need: Need,
    /// The keys of which one must be given beside it; empty if it needs none.
    pub beside: &'static [&'static str],
    /// Its meaning, in one line.
    pub doc: &'static str,
    /// Whether it is always there once the scenario is resolved, where its need does not say so.
    pub always: Option<bool>,
}

impl Key {
    /// A key that needs no other.
    pub const fn new(name: &'static str, kind: Kind, need: Need, doc: &'static str) -> Key {
        Key { name, kind, need, beside: &[], doc, always: None }
    }

    /// Whether it lists the places that an I/O can go to.
    pub fn lists_targets(&self) -> bool {
        matches!(self.kind, Kind::Refers(tables) if tables.len() == TARGETS.len())
    }

    /// The same key, which has a value in every scenario with its table.
    pub const fn always(mut self) -> Key {
        self.always = Some(true);
        self
    }

    /// The same key, which has a value in some scenarios only: elsewhere it is refused, and has no default.
    pub const fn sometimes(mut self) -> Key {
        self.always = Some(false);
        self
    }

    /// The same key, which makes sense beside one of these only.
    pub const fn beside(mut self, keys: &'static [&'static str]) -> Key {
        self.beside = keys;
        self
    }
}

/// The consequence when a key is not written.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// That is a problem, and this is why.
    Required(&'static str),
    /// This value is taken, for this reason.
    Default(&'static str, &'static str),
    /// The table is taken with all its defaults.
    Defaults,
    /// It is worked out from the rest of the scenario, by this rule.
    WorkedOut(&'static str),
    /// It stays absent, which means this.
    Optional(&'static str),
}

/// The characters of a name beside letters and digits.
///
/// Source: a volume serial has letters, digits and the national characters $, # and @ (z/OS DFSMSdfp, Volume serials).
pub const IN_NAMES: &str = "-_.$#@";

/// The values that a key may hold.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text that says something.
    Text,
    /// Lines, as many as a machine of many volumes has.
    Lines,
    /// Text, or this table that names the file with the text.
    TextOr(&'static Table),
    /// Text of one line that says something.
    Line,
    /// A name: letters, digits and [`IN_NAMES`], up to this many characters.
    Name(usize),
    /// The name of one of the tables of this kind.
    Refer(&'static Table),
    /// The names of several of the tables of these kinds, which share one set of names.
    Refers(&'static [&'static Table]),
    /// A table from names of the tables of these kinds to weights.
    Weights(&'static [&'static Table]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// The path of a file, relative to the scenario.
    File,
    /// A device number: up to four hexadecimal digits.
    Device,
    /// A span of time from the first to the second.
    Span(&'static str, &'static str),
    /// A span of time up to a year, or this word.
    SpanOr(&'static str),
    /// The shortest and the longest of several spans.
    SpanPair,
    /// An amount of data from the first to the second.
    Bytes(&'static str, &'static str),
    /// A share, not above this many percent.
    Percent(f64),
    /// More or less by this many percent at most; something is left.
    Growth(f64),
    /// A rate from the first to the second, per second.
    Rate(f64, f64),
    /// A whole number from the first to the second.
    Count(u32, u32),
    /// This many whole numbers, each from the second to the third.
    Counts(usize, u32, u32),
    /// A number from the first to the second.
    Number(f64, f64),
    /// A span of time, or this table that says how spans are distributed.
    Distribution(&'static Table),
    /// This table.
    Table(&'static Table),
    /// Any number of these tables, each with a name of its own.
    Named(&'static Table),
    /// Any number of these tables in order, each known by its number.
    Numbered(&'static Table),
    /// These tables in order, at least one.
    Steps(&'static Table),
    /// These tables, one of which is chosen, at least one.
    Alternatives(&'static Table),
}

impl Kind {
    /// The description of the values for a writer.
    pub fn describe(&self) -> String {
        match self {
            Kind::Text | Kind::Lines => "text in quotes".into(),
            Kind::TextOr(_) => "text in quotes, or the file that has it: { file = \"LISTS.txt\" }".into(),
            Kind::Line => "one line of text in quotes".into(),
            Kind::Name(most) => format!("a name in quotes: letters, digits, - _ . $ # @ up to {most} characters"),
            Kind::Refer(table) => format!("the name of {} in quotes", table.noun()),
            Kind::Refers(tables) => {
                format!("a list of names or patterns of {}: [\"A\", \"B\"], [\"BWP*\"]", plurals(tables, " and "))
            }
            Kind::Weights(tables) => format!("weights by names of {}: {{ A = 3, B = 1 }}", plurals(tables, " and ")),
            Kind::Word(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", "),
            Kind::File => "the path of a file in quotes, relative to the scenario: \"io.csv\"".into(),
            Kind::Device => "a device number in quotes, \"0\" to \"FFFF\": \"522A\"".into(),
            Kind::Span(least, most) => format!("a span of time in quotes from {least} to {most}: \"0.2 ms\""),
            Kind::SpanOr(word) => format!("\"{word}\" or a span of time in quotes, with its unit: \"30 s\""),
            Kind::SpanPair => "the shortest and the longest span: [\"1 ms\", \"2 ms\"]".into(),
            Kind::Bytes(least, most) => format!("an amount of data in quotes from {least} to {most}: \"4 KiB\""),
            Kind::Percent(most) => format!("a share in quotes, up to {most} %: \"2.1 %\""),
            Kind::Growth(most) => format!("growth in quotes, more than -100 % and up to {most} %: \"20 %\""),
            Kind::Rate(least, most) => format!("a rate in quotes from {least}/s to {most}/s: \"500/s\""),
            Kind::Count(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Counts(many, least, most) => {
                let example: Vec<String> = (1..=*many).map(|number| number.to_string()).collect();
                format!("{many} whole numbers from {least} to {most}: [{}]", example.join(", "))
            }
            Kind::Number(least, most) => format!("a number from {least} to {most}"),
            Kind::Distribution(_) => {
                "a span of time in quotes (\"0.2 ms\") or a distribution ({ exponential = \"0.2 ms\" })".into()
            }
            Kind::Table(table) => format!("a table: {}", table.doc),
            Kind::Named(table) | Kind::Numbered(table) => format!("any number of [[{}]]", table.header()),
            Kind::Steps(_) => "a list of steps: [ { think = \"1 ms\" }, { io = { volume = \"A\" } } ]".into(),
            Kind::Alternatives(_) => {
                "a list of alternatives: [ { weight = 3, steps = [...] }, { weight = 1, steps = [...] } ]".into()
            }
        }
    }

    /// Whether it holds text that a command line may give without quotes even when it looks like a number.
    pub fn is_text(&self) -> bool {
        matches!(
            self,
            Kind::Text
                | Kind::Lines
                | Kind::Line
                | Kind::Name(_)
                | Kind::Refer(_)
                | Kind::Word(_)
                | Kind::File
                | Kind::Device
        )
    }
}

/// What a message calls several of these: "volumes and minidisks".
pub fn plurals(tables: &[&Table], between: &str) -> String {
    tables.iter().map(|table| table.plural()).collect::<Vec<_>>().join(between)
}

impl Table {
    /// Its header: within the table that contains it, if that is not the whole file.
    pub fn header(&self) -> String {
        let around = crate::reference::tables().into_iter().find(|table| {
            let own = |key: &&Key| matches!(key.kind, Kind::Named(inner) | Kind::Numbered(inner) if std::ptr::eq(inner, self));
            table.keys.iter().any(own)
        });
        match around {
            Some(table) if !std::ptr::eq(table, &ROOT) => format!("{}.{}", table.name, self.name),
            _ => self.name.to_string(),
        }
    }

    /// What a message calls several of it: "alias pools".
    pub fn plural(&self) -> String {
        format!("{}s", self.name.replace('_', " "))
    }

    /// What a message calls one of it: "an alias pool".
    pub fn noun(&self) -> String {
        // RMF is spelt letter by letter.
        let vowel = self.name.starts_with(['a', 'e', 'i', 'o', 'u']) || self.name == "rmf";
        let article = if vowel { "an" } else { "a" };
        format!("{article} {}", self.name.replace('_', " "))
    }

    /// Whether this is one of its keys.
    pub fn has(&self, key: &Key) -> bool {
        self.keys.iter().any(|own| std::ptr::eq(*own, key))
    }

    /// The key of this name, among its own and the notes it may carry.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == name)
    }

    /// Its own keys and the notes it may carry.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> + Clone + use<> {
        let notes: &'static [&'static Key] = if self.notes { NOTES } else { &[] };
        self.keys.iter().chain(notes).copied()
    }
}
