//! The marks of a disk on a page: the form of its number and the beginning of its type.

/// Whether a type is that of a disk.
pub(crate) fn is_disk(kind: &str) -> bool {
    DISKS.iter().any(|disk| kind.starts_with(disk))
}

/// Whether a text is a device number: three to five hexadecimal digits.
pub(crate) fn is_device_number(text: &str) -> bool {
    (3..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// How the types of disks begin.
///
/// ASSUME the toolkit prints the machine type, as the excerpts do ("3390", "3390-3"); 9336 is what z/VM calls FBA disks.
/// [`DISK`] is slicewright's own.
const DISKS: [&str; 14] =
    ["3390", "3380", "3375", "3370", "3350", "3340", "3330", "9345", "9336", "9335", "9332", "FBA", "EDEV", DISK];

/// The type of a disk of which a record gives no other.
pub(crate) const DISK: &str = "DASD";
