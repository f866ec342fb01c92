//! A page of devices in the style of FCX108 DEVICE, written by us and saying so.

use crate::Response;
use crate::number::{queue, tenths};
use crate::printable::{in_one_line, plain};
use crate::response::Responses;
use crate::table::{Column, Group, Side, print, width};
use measures::{DeviceTotals, IntervalTotals, Role};

const TITLE: &str = "DEVICE page in the style of FCX108, written by slicewright";
const LONG_TITLE: &str = "General I/O Device Load and Performance";
const INDENT: usize = 40;
const NOT_KNOWN: &str = "-";

/// The groups over the columns (z/VM HyperPAV Support, DEVICE excerpts).
const GROUPS: [Group; 6] = [
    Group { name: "Device Descr.", columns: 3 },
    Group { name: "Mdisk", columns: 1 },
    Group { name: "Pa-", columns: 1 },
    Group { name: "Rate/s", columns: 2 },
    Group { name: "Time (msec)", columns: 6 },
    Group { name: "Req.", columns: 1 },
];

/// The devices of an interval as a page; `note` says in the page's head where they come from and may be empty.
///
/// Columns are as wide as their contents, so nothing is cut. An interval shorter than half a second has no `For` line.
pub fn device_page(interval: &IntervalTotals, response: Response, note: &str) -> String {
    let columns = columns(interval, response);
    let mut lines = head(interval, response, note);
    lines.push("_".repeat(width(&columns)));
    lines.push(String::new());
    lines.extend(print(&columns, &GROUPS));
    lines.join("\n") + "\n"
}

fn head(interval: &IntervalTotals, response: Response, note: &str) -> Vec<String> {
    let mut lines = vec![TITLE.to_string(), format!("{:INDENT$}{LONG_TITLE}", "")];
    lines.extend(interval.started.as_ref().map(|started| format!("From {}", in_one_line(started))));
    let seconds = interval.length.seconds().round() as u64;
    let length = match seconds {
        0 => String::new(),
        _ => {
            let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
            format!("For {seconds:>6} Secs {hours:02}:{minutes:02}:{:02}", seconds % 60)
        }
    };
    let run = match interval.name.as_str() {
        "" => String::new(),
        name => format!("Result of {} Run", in_one_line(name)),
    };
    lines.push(format!("{length:<INDENT$}{run}").trim_end().to_string());
    let notes = note.lines().map(str::trim).filter(|line| !line.is_empty()).map(in_one_line);
    lines.extend(notes.chain([response.note().to_string()]).map(|line| format!("Note {line}")));
    lines
}

fn columns(interval: &IntervalTotals, response: Response) -> Vec<Column> {
    let (devices, responses) = (&interval.devices, Responses::of(interval, response));
    let text = |heading, side, least_width, text: &dyn Fn(&DeviceTotals) -> String| Column {
        heading,
        side,
        least_width,
        gap: 1,
        texts: devices.iter().map(text).collect(),
    };
    let time = |heading, time: &dyn Fn(&DeviceTotals) -> String| text(heading, Side::Right, 4, time);
    let links = text("Links", Side::Right, 5, &|_| NOT_KNOWN.into());
    vec![
        text("Addr", Side::Left, 4, &|device| plain(&device.device)),
        text("Type", Side::Left, 6, &kind),
        text("Label/ID", Side::LeftUnmarked, 9, &label),
        Column { gap: 2, ..links },
        text("ths", Side::RightUnmarked, 3, &|device| device.paths.to_string()),
        text("I/O", Side::Main, 4, &|device| tenths(device.io_per_s)),
        text("Avoid", Side::Right, 5, &|device| tenths(device.avoided_per_s)),
        time("Pend", &|device| tenths(device.pend_ms)),
        time("Disc", &|device| tenths(device.disc_ms)),
        time("Conn", &|device| tenths(device.conn_ms)),
        time("Serv", &|device| tenths(device.service_ms)),
        time("Resp", &|device| tenths(responses.device(device))),
        time("CUWt", &|_| NOT_KNOWN.into()),
        time("Qued", &|device| queue(device.queue_depth)),
    ]
}

/// The type; of a classic alias its base.
fn kind(device: &DeviceTotals) -> String {
    match &device.role {
        Role::BoundAlias { base } => format!("->{}", plain(base)),
        Role::Base | Role::PoolAlias { .. } => plain(&device.kind),
    }
}

/// The label; blank for an alias of a pool, and only for one: a base without a label gets a dash.
fn label(device: &DeviceTotals) -> String {
    match (&device.role, device.label.as_str()) {
        (Role::PoolAlias { .. }, _) => String::new(),
        (Role::Base | Role::BoundAlias { .. }, "") => NOT_KNOWN.to_string(),
        (Role::Base | Role::BoundAlias { .. }, label) => plain(label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use measures::Figure;
    use units::Span;

    fn interval(devices: Vec<DeviceTotals>) -> IntervalTotals {
        IntervalTotals { devices, ..IntervalTotals::new("DEMO", Span::SECOND * 600) }
    }

    fn device(device: &str, label: &str, role: Role) -> DeviceTotals {
        DeviceTotals {
            io_per_s: Figure::exact(711.0),
            pend_ms: Figure::exact(0.2),
            ..DeviceTotals::unknown(device.into(), "3390-3".into(), label.into(), role, 4)
        }
    }

    #[test]
    fn the_headings_are_those_of_the_excerpts() {
        let page = device_page(&interval(vec![device("522A", "BWPVS0", Role::Base)]), Response::Toolkit, "");
        let excerpt = include_str!("../../../published/hyperpav/device-reports/Y040180P.txt");
        let headings = |page: &str| -> Vec<String> {
            let rule = page.lines().position(|line| line.starts_with("___")).unwrap();
            page.lines().skip(rule + 1).take(4).map(String::from).collect()
        };
        assert_eq!(headings(&page), headings(excerpt));
    }

    #[test]
    fn the_head_says_who_wrote_the_page_and_what_resp_is() {
        let page = device_page(&interval(Vec::new()), Response::Correct, "simulated, seed 1\nlast replication");
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[0], "DEVICE page in the style of FCX108, written by slicewright");
        assert_eq!(lines[2], "For    600 Secs 00:10:00                Result of DEMO Run");
        assert_eq!(lines[3..5], ["Note simulated, seed 1", "Note last replication"]);
        assert!(lines[5].starts_with("Note Resp is Serv + 1000 x Qued / I/O of the volume"));
    }

    #[test]
    fn roles_show_in_type_and_label() {
        let bound = Role::BoundAlias { base: "522A".into() };
        let pool = Role::PoolAlias { pool: "LSS-52".into() };
        let devices =
            vec![device("522A", "A", Role::Base), device("5249", "A", bound), device("524A", "ignored", pool)];
        let page = device_page(&interval(devices), Response::Toolkit, "");
        let rows: Vec<&str> = page.lines().rev().take(3).map(|line| &line[..22]).collect();
        assert_eq!(rows, [" 524A 3390-3          ", " 5249 ->522A A        ", " 522A 3390-3 A        "]);
    }

    #[test]
    fn names_that_no_column_holds_become_one_word() {
        let page = device_page(&interval(vec![device("522A", "my vol\u{fc}me", Role::Base)]), Response::Toolkit, "");
        assert!(page.contains(" my_vol_me "));
    }
}
