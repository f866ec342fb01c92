//! Where the storage for parameter lists and saved status comes from.

use super::account::Visits;

/// A page, in bytes.
const PAGE: u32 = 4096;

/// Where storage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// Obtained and released with each call; its pages are touched for the first time each time.
    Obtained,
    /// From a pool.
    Pooled,
    /// One area for all, serialized by the lock that is held.
    Single,
}

/// Which storage the exits of a system use.
///
/// Source: GRS/MIM Installation Exit Performance: storage obtained anew for each request at first, then from pools, and
/// for fast exits a single area at last. An exit without the lock cannot use the single area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Storage {
    /// For the parameter lists of exits that are called with the lock held.
    pub fast: Area,
    /// For the parameter lists and the status of exits that are called without it; a single area counts as a pool.
    pub slow: Area,
    /// Bytes of status that are saved for a slow exit.
    pub status_bytes: u32,
}

impl Storage {
    /// The same area for all exits, and 4 pages of status. ASSUME: 4 pages, nothing was published.
    pub const fn of(area: Area) -> Self {
        let slow = match area {
            Area::Obtained => Area::Obtained,
            Area::Pooled | Area::Single => Area::Pooled,
        };
        Storage { fast: area, slow, status_bytes: 4 * PAGE }
    }

    /// Counts what a parameter list takes at a point, and the status for it if that has to be saved.
    pub(super) fn take(&self, is_locked: bool, visits: &mut Visits) {
        visits.lists += 1;
        let area = if is_locked { self.fast } else { self.slow };
        match (area, is_locked) {
            (Area::Obtained, _) => visits.obtained += 1,
            (Area::Pooled, _) | (Area::Single, false) => visits.pooled += 1,
            (Area::Single, true) => visits.single += 1,
        }
        if !is_locked {
            visits.slow += 1;
            visits.bytes += u64::from(self.status_bytes);
            if area == Area::Obtained {
                visits.pages += self.status_bytes.div_ceil(PAGE);
            }
        }
    }
}

impl Area {
    /// All of them.
    pub const ALL: [Area; 3] = [Area::Obtained, Area::Pooled, Area::Single];

    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Area::Obtained => "obtained",
            Area::Pooled => "pooled",
            Area::Single => "single",
        }
    }
}
