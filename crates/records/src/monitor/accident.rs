//! Accidents of files that are not as MONWRITE wrote them, recognised by the bytes where reading failed.

use super::header::Header;
use crate::damage::Damage;

/// How a MONWRITE file is sent.
const BINARY: &str = "transfer the file in binary, fixed records of 4,096 bytes, from where MONWRITE wrote it";

/// Where the type of the first area is: after the buffer of an external interrupt.
const TYPE: usize = 40;

/// Whether a file starts as TERSE writes one: a version of a native file with its mark, or of one from a host
/// (Open Mainframe Project, tersedecompress, TerseHeader).
fn is_tersed(head: &[u8]) -> bool {
    match head {
        [1 | 2, 0x89, 0x69, 0xA5, ..] => true,
        [5 | 7, variable, _, _, ..] => *variable < 2,
        _ => false,
    }
}

/// Whether most bytes are printable ASCII or ends of lines.
fn is_text(head: &[u8]) -> bool {
    let printable = head.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    printable * 10 > head.len() * 9
}

/// The probable accident of a file whose first block is no control block; `why` is what is wrong with the block.
pub(super) fn of_head(head: &[u8], why: &str) -> Damage {
    let start = |what: &str| Damage::new(what).at(0, 0);
    let at = |place: usize| head.get(place).copied().unwrap_or(0);
    if is_tersed(head) {
        return start("the file is packed by TERSE").remedy("unpack it first: TRSMAIN, AMATERSE or tersedecompress");
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) || head.starts_with(b"BZh") {
        return start("the file is compressed").remedy("unpack it first; gzip alone is read as it comes");
    }
    if is_text(head) {
        return start("the file is text").because("monitor data are binary").remedy(BINARY);
    }
    if matches!(at(TYPE), b'S' | b'E') {
        return start("the file was translated to ASCII in transfer")
            .because("the type of the first area is S or E in ASCII where EBCDIC is due: no number survives this")
            .remedy(BINARY);
    }
    if matches!(at(TYPE + 4), 0xE2 | 0xC5) && at(1) == 4 {
        return start("the file has a record descriptor before each block")
            .because("the first control block starts after 4 bytes that give its length")
            .remedy("transfer it without record descriptors (FTP: quote site nordw)");
    }
    if Header::read(head).is_some() {
        return start("the file starts with records, and a control block is due")
            .because("it was cut, or its control blocks were dropped")
            .remedy("cut files at control blocks alone, those with S or E in EBCDIC at byte 40");
    }
    start("the file does not start with a control block of MONWRITE").because(why).remedy(BINARY)
}

/// The probable accident where a header of a record is due and something else is.
pub(super) fn of_record(rest: &[u8], place: u64, number: u64) -> Damage {
    match rest {
        [b'\n', ..] | [b'\r', b'\n', ..] => Damage::new("an end of a line was inserted")
            .at(place, number)
            .because("a header of a record is due here")
            .remedy(BINARY),
        _ => Damage::new("there is no header of a record where one is due")
            .at(place, number)
            .because("each record starts with its length and two zeros, and the last of a frame is 1/13 or 1/11")
            .remedy("if bytes before this place were changed or lost in transfer, transfer the file again in binary"),
    }
}
