//! Which descriptor words a file has, from its first bytes.

use super::accident;
use super::{Descriptor, Framing, Segment, WORD, block_length};
use crate::Damage;
use crate::smf::Header;

/// The framing of a file from its first bytes; `ends` where they are all of it.
///
/// A framing is accepted when its words lead from one to the next up to a record with a standard header.
///
/// # Errors
///
/// Damage that names what happened to the file.
pub(super) fn detect(head: &[u8], ends: bool) -> Result<Framing, Damage> {
    let [blocks, records] = [Framing::Blocks, Framing::Records].map(|framing| headers(head, framing));
    if blocks > 0 && blocks >= records {
        Ok(Framing::Blocks)
    } else if records > 0 {
        Ok(Framing::Records)
    } else {
        Err(accident::packed(head).unwrap_or_else(|| accident::unframed(head, ends)))
    }
}

/// Whether the descriptor words at the start of a file lead to records of SMF; `ends` where the bytes are all of it.
pub(crate) fn is_dump(head: &[u8], ends: bool) -> bool {
    detect(head, ends).is_ok()
}

/// How many records with standard headers the words of a framing lead to; none where most records have no such header.
/// A first segment may end within the header, and then says nothing.
fn headers(head: &[u8], framing: Framing) -> usize {
    let (mut at, mut block_end, mut found, mut others) = (0, 0, 0, 0);
    while at < head.len() {
        if framing == Framing::Blocks && at == block_end {
            let Some(length) = block_length(&head[at..]) else { break };
            block_end = at + length as usize;
            at += WORD;
            continue;
        }
        let Some(descriptor) = Descriptor::read(&head[at..]) else { break };
        let end = at + descriptor.length;
        if framing == Framing::Blocks && end > block_end {
            break;
        }
        if matches!(descriptor.segment, Segment::Whole | Segment::First) {
            match Header::read(&head[at..end.min(head.len())]) {
                Some(_) => found += 1,
                None if descriptor.segment == Segment::First && descriptor.length < Header::SHORT => {}
                None => others += 1,
            }
        }
        at = end;
    }
    if found >= others { found } else { 0 }
}
