//! The reference of the language as a page: a section per table, a line per key.
//!
//! It leaves out everything that is not in the language's own tables but how to read them.

use crate::language::NOTES;
use crate::reference::{Row, reference, tables};

const OPENING: &str = "# Scenario files, key by key

Made from the reader's own tables; `slicewright schema` prints the same as JSON Schema.

A scenario is one TOML file. Quantities are text with a unit (`\"0.2 ms\"`, `\"500/s\"`, `\"2.1 %\"`); counts, weights and
squared coefficients of variation are plain numbers. Spans are in ns, us, ms, s, min, h or d; rates in /s or /min; amounts
of data in B, KiB, MiB, kB or MB. Where a key is absent, the last column says what that means. Any key can be set from the
command line by its path: `--set volume.*.gap=\"0.1 ms\"`, `--set alias_pool.LSS-52.aliases=8`. Steps, the
alternatives of `choose` and changes have no names but numbers, from 1, in the order of the file:
`--set guest.USERS.program.1.think=\"2 s\"`, `--set guest.USERS.program.2.choose.1.weight=3`, `--set change.2.at=\"90 s\"`.
";

const NOTES_OPENING: &str = "Any table but `[source]` may carry one of these. It covers the numbers of the table and of all \
tables in it, unless one of those carries its own; at the top of the file it covers the whole scenario.";

/// The page, as Markdown.
pub fn reference_page() -> String {
    let rows = reference();
    let mut page = String::from(OPENING);
    for table in tables() {
        let own: Vec<&Row> = rows.iter().filter(|row| row.table == table.name).collect();
        let is_note = |row: &Row| NOTES.iter().any(|note| note.name == row.key && note.doc == row.doc);
        page.push_str(&format!("\n## {}\n\n{}.\n", table.name, sentence(table.doc)));
        for choice in table.choices {
            let names: Vec<String> = choice.keys.iter().map(|key| format!("`{}`", key.name)).collect();
            let how = if choice.needed { "Exactly one" } else { "At most one" };
            page.push_str(&format!("{how} of {}: {}.\n", names.join(", "), choice.why));
        }
        lines(&mut page, own.into_iter().filter(|row| !is_note(row)));
    }
    page.push_str(&format!("\n## Where numbers come from\n\n{NOTES_OPENING}\n"));
    lines(&mut page, rows.iter().filter(|row| row.table == "any table"));
    page
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
