//! Fields under the names that the 580/MDF screens have for them, made into the keys that they are.

use crate::language::{self, Key, Kind, Table};
use crate::problems::Problems;
use crate::text::clip;
use crate::written::{Entries, Entry, Written};
use units::Problem;

/// Fields of two screens with another name here, in the form of [`plain`]: Configuration Attributes and System
/// Scheduling (Partitioning Large Processors, figures 2 and 3).
const RENAMED: [(&str, &Key); 5] = [
    ("number_of_lps", &language::LOGICAL_PROCESSORS),
    ("target_cpu_percentage", &language::TARGET),
    ("maximum_cpu_percentage", &language::MAXIMUM),
    ("targ", &language::TARGET),
    ("max", &language::MAXIMUM),
];

/// The key of a table that a field of the screens is, under its own name, whatever its case and blanks.
pub fn key(table: &'static Table, field: &str) -> Option<&'static Key> {
    if !(std::ptr::eq(table, &language::PARTITION) || std::ptr::eq(table, &language::CEC)) {
        return None;
    }
    let plain = plain(field);
    let renamed = RENAMED.into_iter().find(|(name, _)| *name == plain).map_or(plain.as_str(), |(_, key)| key.name);
    table.key(renamed)
}

/// Gives such fields the names of their keys, in the table of processors and in those of partitions.
pub fn rename(scenario: &mut Entries, problems: &mut Problems<'_>) {
    for entry in &mut scenario.0 {
        match (entry.key.as_str(), &mut entry.node.value) {
            (name, Written::Table(table)) if name == language::CEC.name => in_table(&language::CEC, table, problems),
            (name, Written::List(tables)) if name == language::PARTITION.name => {
                for table in tables {
                    if let Written::Table(table) = &mut table.value {
                        in_table(&language::PARTITION, table, problems);
                    }
                }
            }
            _ => {}
        }
    }
}

fn in_table(spec: &'static Table, entries: &mut Entries, problems: &mut Problems<'_>) {
    let (mut kept, mut met): (Vec<Entry>, Vec<(&str, String)>) = (Vec::new(), Vec::new());
    // Keys under their own names come first, whatever their order: the other name is then the one too many.
    met.extend(entries.0.iter().filter_map(|entry| Some((spec.key(&entry.key)?.name, entry.key.clone()))));
    for mut entry in std::mem::take(&mut entries.0) {
        let field = if spec.key(&entry.key).is_some() { None } else { key(spec, &entry.key) };
        let Some(key) = field else {
            kept.push(entry);
            continue;
        };
        if let Some((_, other)) = met.iter().find(|(name, _)| *name == key.name) {
            let problem = Problem::new(format!("both `{other}` and `{}`", clip(&entry.key)))
                .key(format!("{}: {}", spec.name, clip(&entry.key)))
                .because("they are one field, under the name that it has here and under that of the screen");
            problems.add(entry.at, problem);
            continue;
        }
        met.push((key.name, entry.key.clone()));
        // The unit of a percentage is in the name on the screen.
        if let (Kind::Percent(_), Written::Integer(Some(number))) = (key.kind, &entry.node.value) {
            entry.node.value = Written::Text(format!("{number} %"));
        }
        entry.key = key.name.to_string();
        kept.push(entry);
    }
    entries.0 = kept;
}

/// A field in small letters, words joined: "NUMBER OF LP'S" is `number_of_lps`.
fn plain(field: &str) -> String {
    let kept = field.trim().chars().filter(|ch| !matches!(ch, '\'' | '\u{2019}'));
    kept.map(|ch| if matches!(ch, ' ' | '-') { '_' } else { ch.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_known_as_typed_and_as_keys() {
        for field in ["NUMBER OF LP'S", "Number of LP's", "number_of_lps", "NUMBER OF LPS"] {
            assert_eq!(key(&language::PARTITION, field).map(|key| key.name), Some("logical_processors"), "{field}");
        }
        assert_eq!(key(&language::CEC, "SCHEDULING PARAMETER").map(|key| key.name), Some("scheduling_parameter"));
        assert_eq!(key(&language::PARTITION, "STORAGE SIZE").map(|key| key.name), Some("storage_size"));
        assert!(key(&language::PARTITION, "NORM").is_none() && key(&language::VOLUME, "MAX").is_none());
    }
}
