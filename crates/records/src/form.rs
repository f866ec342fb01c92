//! The form of a file of monitor data, from its first bytes: SMF records of z/OS, or a MONWRITE file of z/VM.
//!
//! One byte proves neither. Descriptor words of SMF have to lead to records with a date, a time and a system. A control
//! block of MONWRITE has to name areas of data. The proof of SMF is the stronger one and goes first, as the buffer at the
//! start of a control block may hold anything.

use crate::{monitor, smf, source};
use std::io::{self, Read};
use std::path::Path;

/// Bytes that a form is recognised from: several blocks of either form.
const HEAD: usize = 1 << 17;

/// A form of monitor data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// SMF records with descriptor words.
    Smf,
    /// Control blocks and frames of records, as MONWRITE writes them.
    Monwrite,
}

impl Form {
    /// The form of a file from its first bytes; `ends` where they are all of it. None for any other file.
    pub fn of(head: &[u8], ends: bool) -> Option<Form> {
        if smf::framing::is_dump(head, ends) {
            Some(Form::Smf)
        } else if monitor::is_file(head) {
            Some(Form::Monwrite)
        } else if smf::framing::was_dump(head) {
            Some(Form::Smf)
        } else {
            None
        }
    }

    /// The form of a regular file, plain or in gzip.
    ///
    /// # Errors
    ///
    /// As [`source::open`]; a file that cannot be unpacked has the form of the bytes before the damage.
    pub fn of_file(path: &Path) -> io::Result<Option<Form>> {
        let mut head = Vec::new();
        let whole = source::open(path)?.take(HEAD as u64).read_to_end(&mut head).is_ok();
        Ok(Form::of(&head, whole && head.len() < HEAD))
    }
}
