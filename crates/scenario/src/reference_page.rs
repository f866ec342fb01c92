//! The reference of the language as two pages, tables of a scenario and tables within those: a section per table, a line per key.

use crate::language::{NOTES, Table};
use crate::reference::{Row, reference, tables};

/// The file of each page.
pub const REFERENCE_PAGES: [&str; 2] = ["scenario-files.md", "scenario-tables.md"];

const OPENING: &str = "# Scenario files, key by key

Made from the reader's own tables; `slicewright explain --schema` prints the same as JSON Schema.

A scenario is one TOML file. Quantities are text with a unit (`\"0.2 ms\"`, `\"500/s\"`, `\"2.1 %\"`); counts, weights and
squared coefficients of variation are plain numbers. Spans are in ns, us, ms, s, min, h or d. Rates are in /s or /min,
amounts of data in B, KiB, MiB, kB or MB. The last column is the meaning of an absent key. Any key can be set from the command
line by its path: `--set volume.*.gap=\"0.1 ms\"`, `--set alias_pool.LSS-52.aliases=8`. Steps, the alternatives of
`choose` and changes have numbers in place of names, from 1, in the order of the file:
`--set guest.USERS.program.1.think=\"2 s\"`, `--set guest.USERS.program.2.choose.1.weight=3`, `--set change.2.at=\"90 s\"`.

The name of a volume or a channel may count up: `BWP[S0..S7]` is eight tables, whose device numbers count on from `device`.
`PAGE[00..]` has as many as its `count`, and `[A..H]` and `[A,C,S0..S7]` are letters and lists. Where names are listed,
and in `--set`, a pattern means all that it matches: `uniform = [\"BWP*\"]`, `--set volume.BWP[S0..S3].gap=\"0.1 ms\"`. `*` is
any characters, `?` is one. In `weighted` each of them has the weight. `--set volume.PAGE[00..].count=12`, by the name as it
is written, changes how many there are. A guest `on-BWP[S0..S7]` is eight tables too, and a single `volume` or `minidisk` of its
program counts along: `io = { volume = \"BWP[S0..S7]\" }` is of each guest the volume of its place. Its `count` is the
population of each.

Tables within these, such as the steps of programs, have [a page of their own](scenario-tables.md).
";

const OPENING_WITHIN: &str = "# Scenario files: tables within tables

Made from the reader's own tables, like the page of [the others](scenario-files.md), which explains quantities.
";

const NOTES_OPENING: &str = "Any table but `[source]` may carry one of these. It covers the numbers of the table and of all \
tables in it that have none of their own. At the top of the file it covers the whole scenario.";

/// The pages, as Markdown.
pub fn reference_pages() -> [String; 2] {
    let (rows, tables) = (reference(), tables());
    let named = |table: &Table| rows.iter().any(|row| row.table == tables[0].name && row.key == table.name);
    let mut pages = [OPENING, OPENING_WITHIN].map(String::from);
    for (at, table) in tables.iter().enumerate() {
        let page = &mut pages[usize::from(at > 0 && !named(table))];
        section(page, table, &rows);
    }
    pages[0].push_str(&format!("\n## Where numbers come from\n\n{NOTES_OPENING}\n"));
    lines(&mut pages[0], rows.iter().filter(|row| row.table == "any table"));
    pages
}

fn section(page: &mut String, table: &Table, rows: &[Row]) {
    let is_note = |row: &Row| NOTES.iter().any(|note| note.name == row.key && note.doc == row.doc);
    page.push_str(&format!("\n## {}\n\n{}.\n", table.name, sentence(table.doc)));
    for choice in table.choices {
        let names: Vec<String> = choice.keys.iter().map(|key| format!("`{}`", key.name)).collect();
        let how = if choice.needed { "Exactly one" } else { "At most one" };
        page.push_str(&format!("{how} of {}: {}.\n", names.join(", "), choice.why));
    }
    lines(page, rows.iter().filter(|row| row.table == table.name && !is_note(row)));
}

fn lines<'r>(page: &mut String, rows: impl Iterator<Item = &'r Row>) {
    page.push_str("\n| key | meaning | holds | absent |\n|---|---|---|---|\n");
    for row in rows {
        let cells = [row.doc, &row.holds, &row.absent].map(|cell| cell.replace('|', "\\|"));
        page.push_str(&format!("| `{}` | {} |\n", row.key, cells.join(" | ")));
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
