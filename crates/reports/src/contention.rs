//! Contention at one instant in the style of DISPLAY GRS,C and DISPLAY GRS,ANALYZE: queues, blockers, deadlocks.
//!
//! Source: MVS System Commands, DISPLAY GRS, message ISG343I, for the headings; the positions are ours.

use crate::grouped::{Column, print};
use crate::number::rounded;
use crate::printable::in_one_line;
use crate::rmf_head::lines_of;
use measures::ContentionRow;

const TITLE: &str = "Contention in the style of DISPLAY GRS,C and DISPLAY GRS,ANALYZE, written by slicewright";
const NOTHING: &str = "NO ENQ RESOURCE CONTENTION EXISTS";

/// The requests of one instant, in the order of their queues; `note` says where they come from and may be empty.
pub fn contention_page(rows: &[ContentionRow], note: &str) -> String {
    let mut lines = vec![TITLE.to_string()];
    lines.extend(lines_of(note).map(|line| format!("Note {line}")));
    let Some(first) = rows.first() else {
        lines.push(NOTHING.to_string());
        return lines.join("\n") + "\n";
    };
    lines.push(format!("At {} s", rounded(first.at_s, 3)));
    let mut left = rows;
    while let Some(head) = left.first() {
        let name = |row: &ContentionRow| {
            (row.what.scope.clone(), row.what.qname.clone(), row.what.rname.clone(), of_system(row))
        };
        let count = left.iter().take_while(|row| name(row) == name(head)).count();
        let (queue, rest) = left.split_at(count);
        lines.push(String::new());
        lines.push(format!(
            "S={:<8}{:<8} {}",
            head.what.scope,
            in_one_line(&head.what.qname),
            in_one_line(&head.what.rname)
        ));
        lines.extend(print(&columns(queue), "").into_iter().skip(1));
        left = rest;
    }
    lines.extend(deadlocks(rows));
    lines.join("\n") + "\n"
}

/// The mark of two queues of one name: that of a system, where the name reaches no further.
fn of_system(row: &ContentionRow) -> String {
    if row.what.scope == "SYSTEMS" { String::new() } else { row.who.partition.clone() }
}

fn columns(queue: &[ContentionRow]) -> Vec<Column> {
    let words = |heading, text: &dyn Fn(&ContentionRow) -> String| {
        Column::words("", heading, queue.iter().map(|row| in_one_line(&text(row))))
    };
    vec![
        words("SYSNAME", &|row| row.who.partition.clone()),
        words("JOBNAME", &|row| row.who.task.clone()),
        words("EXC/SHR", &|row| row.who.access.clone()),
        words("STATUS", &|row| row.who.status.clone()),
        Column::numbers("", "FOR MSEC", queue.iter().map(|row| rounded(row.since_ms, 3))),
        words("BLOCKED BY", &|row| row.who.blockers.clone()),
    ]
}

/// A line for each set of tasks that wait for each other.
fn deadlocks(rows: &[ContentionRow]) -> Vec<String> {
    let last = rows.iter().map(|row| row.deadlock.value as u64).max().unwrap_or(0);
    let tasks = |number: u64| {
        let mut tasks: Vec<&str> =
            rows.iter().filter(|row| row.deadlock.value as u64 == number).map(|row| row.who.task.as_str()).collect();
        tasks.sort_unstable();
        tasks.dedup();
        tasks.join(" ")
    };
    (1..=last).flat_map(|number| [String::new(), format!("DEADLOCK {number}: {}", tasks(number))]).collect()
}
