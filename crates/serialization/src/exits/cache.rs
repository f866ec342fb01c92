//! Which exit points need not be called for a qname any more, since all exits there said so.

use super::point::Point;
use crate::name::QNAME_BYTES;
use crate::request::Scope;

/// The key of an entry.
///
/// Source: MVS Installation Exits, ISGNQXITPREBATCH: the cache goes by qname, original and final scope, original and
/// final reserve state; ISGENDOFLQCB: by qname. ASSUME: for ISGENDOFLQCB the same key as for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) point: Point,
    pub(super) qname: [u8; QNAME_BYTES],
    pub(super) scopes: [Scope; 2],
    pub(super) reserves: [bool; 2],
}

/// A sorted list: it grows with qnames, not with requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    keys: Vec<Key>,
}

impl Cache {
    pub(super) fn has(&self, key: &Key) -> bool {
        self.keys.binary_search(key).is_ok()
    }

    /// Remembers it; says whether it was new.
    pub(super) fn add(&mut self, key: Key) -> bool {
        let place = self.keys.binary_search(&key);
        if let Err(place) = place {
            self.keys.insert(place, key);
        }
        place.is_err()
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }
}
