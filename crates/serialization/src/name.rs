//! The name of a resource: a qname of eight characters and an rname of one to 255.

use std::fmt;

use units::Problem;

/// How long a qname is; a shorter one is padded with blanks.
pub const QNAME_BYTES: usize = 8;

/// How long an rname may be.
pub const RNAME_MOST: usize = 255;

/// The qnames that only authorized programs may use, and what others begin with.
///
/// Source: MVS Programming: Authorized Assembler Services Reference, ENQ, DEQ and ISGENQ: minimum authorization.
const FOR_AUTHORIZED: [&[u8; QNAME_BYTES]; 14] = [
    b"ADRDFRAG",
    b"ADRDSN  ",
    b"ARCENQG ",
    b"BWODSN  ",
    b"SYSCTLG ",
    b"SYSDSN  ",
    b"SYSIEA01",
    b"SYSIEECT",
    b"SYSIEFSD",
    b"SYSIGGV1",
    b"SYSIGGV2",
    b"SYSPSWRD",
    b"SYSVSAM ",
    b"SYSVTOC ",
];
const FOR_AUTHORIZED_BEGINNING: &[u8] = b"SYSZ";

/// A name as it was checked at the door, with its hash worked out once.
///
/// The characters are bytes and are compared as such: a name has no code page here, and case counts. Blanks at the end
/// of a qname do not count, since it is padded with them; at the end of an rname they do.
///
/// Source: MVS Programming: Authorized Assembler Services Reference, ENQ: `qname addr`, `rname addr`, `rname length`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceName {
    bytes: Box<[u8]>,
    hash: u64,
    for_authorized: bool,
}

impl ResourceName {
    /// A name of these characters.
    ///
    /// # Errors
    /// Everything that is wrong with the two lengths, each keyed `qname` or `rname`.
    pub fn new(qname: &[u8], rname: &[u8]) -> Result<Self, Vec<Problem>> {
        let lengths = [("qname", qname.len(), QNAME_BYTES), ("rname", rname.len(), RNAME_MOST)];
        let problems: Vec<Problem> =
            lengths.into_iter().filter_map(|(key, length, most)| wrong(key, length, most)).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut bytes = vec![b' '; QNAME_BYTES + rname.len()].into_boxed_slice();
        bytes[..qname.len()].copy_from_slice(qname);
        bytes[QNAME_BYTES..].copy_from_slice(rname);
        let hash = hash(&bytes);
        let padded = &bytes[..QNAME_BYTES];
        let listed = FOR_AUTHORIZED.iter().any(|name| *name == padded);
        let for_authorized = listed || padded.starts_with(FOR_AUTHORIZED_BEGINNING);
        Ok(ResourceName { bytes, hash, for_authorized })
    }

    /// The qname, with the blanks that fill it up.
    pub fn qname(&self) -> &[u8] {
        &self.bytes[..QNAME_BYTES]
    }

    /// The rname, of the length that was given.
    pub fn rname(&self) -> &[u8] {
        &self.bytes[QNAME_BYTES..]
    }

    /// Both, one behind the other: the identity of a name.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether only authorized programs may ask for it, which its qname says.
    pub fn is_for_authorized(&self) -> bool {
        self.for_authorized
    }

    /// A number made of the characters alone, the same on every machine and in every run.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

impl fmt::Display for ResourceName {
    /// As DISPLAY GRS has it: the qname in eight columns, a blank, the rname; what cannot be printed is a period.
    ///
    /// Source: MVS System Commands, DISPLAY GRS, message ISG343I.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", printable(self.qname()), printable(self.rname()))
    }
}

impl fmt::Debug for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResourceName({self})")
    }
}

/// Eight bytes at a time, folded by a wide multiplication; a table needs good low and high bits, not secrecy.
fn hash(bytes: &[u8]) -> u64 {
    const KEY: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = KEY ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let product = u128::from(state ^ u64::from_le_bytes(word)) * u128::from(KEY);
        state = (product as u64) ^ ((product >> 64) as u64);
    }
    state
}

fn wrong(key: &str, length: usize, most: usize) -> Option<Problem> {
    let what = match length {
        0 => format!("the {key} is empty"),
        _ if length > most => format!("the {key} has {length} characters"),
        _ => return None,
    };
    Some(Problem::new(what).key(key).allowed([format!("1 to {most} characters")]))
}

fn printable(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| if (b' '..=b'~').contains(&byte) { char::from(byte) } else { '.' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(qname: &[u8], rname: &[u8]) -> ResourceName {
        ResourceName::new(qname, rname).expect("a name")
    }

    #[test]
    fn a_qname_is_padded_with_blanks() {
        assert_eq!(name(b"SYSDSN", b"SYS1.LINKLIB").qname(), b"SYSDSN  ");
        assert_eq!(name(b"SYSDSN", b"A"), name(b"SYSDSN  ", b"A"));
    }

    #[test]
    fn blanks_at_the_end_of_an_rname_count() {
        assert_ne!(name(b"Q", b"A"), name(b"Q", b"A "));
    }

    #[test]
    fn it_is_shown_as_display_grs_does() {
        assert_eq!(name(b"SYSDSN", b"SYS1.LINKLIB").to_string(), "SYSDSN   SYS1.LINKLIB");
        assert_eq!(name(b"SYSZ", &[b'A', 0, 0xc1]).to_string(), "SYSZ     A..");
    }

    #[test]
    fn the_longest_and_the_shortest_are_taken() {
        assert_eq!(name(b"12345678", &[b'R'; 255]).rname().len(), 255);
        assert_eq!(name(b"1", b"R").rname(), b"R");
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let problems = ResourceName::new(b"", &[b'R'; 256]).expect_err("two problems");
        let told: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert_eq!(
            told,
            [
                "qname: the qname is empty; allowed: 1 to 8 characters",
                "rname: the rname has 256 characters; allowed: 1 to 255 characters"
            ]
        );
    }

    #[test]
    fn names_that_differ_little_hash_apart() {
        let mut low: Vec<u64> = (0..1024u32).map(|k| name(b"SYSDSN", k.to_string().as_bytes()).hash() & 1023).collect();
        low.sort_unstable();
        low.dedup();
        // Of 1,024 balls in 1,024 bins some 647 bins are hit.
        assert!(low.len() > 580, "only {} of 1024 bins are hit", low.len());
    }
}
