//! An I/O as it is asked for: which volume, which way, how much.

pub use super::access::Access;
use super::ids::Volume;

/// An I/O to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// To which volume.
    pub volume: Volume,
    /// Its transfer.
    pub transfer: Transfer,
}

impl Io {
    /// A read of nothing, for places that no I/O has taken yet.
    pub const fn to(volume: Volume) -> Self {
        Io { volume, transfer: Transfer::new(Access::Read, 0) }
    }
}

/// How much an I/O transfers, and which way, in one word: an I/O is handed on several times, and two words pass in a
/// register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer(u32);

/// The bit that says that it is a write.
const WRITE: u32 = 1 << 31;

impl Transfer {
    /// The most bytes that one I/O transfers: 2 GiB less one.
    pub const MOST_BYTES: u32 = WRITE - 1;

    /// This many bytes, this way.
    ///
    /// # Panics
    /// When there are more than [`Transfer::MOST_BYTES`].
    #[inline]
    pub const fn new(access: Access, bytes: u32) -> Self {
        assert!(bytes <= Transfer::MOST_BYTES, "an I/O transfers less than 2 GiB");
        match access {
            Access::Read => Transfer(bytes),
            Access::Write => Transfer(bytes | WRITE),
        }
    }

    /// How many bytes.
    #[inline(always)]
    pub const fn bytes(self) -> u32 {
        self.0 & Transfer::MOST_BYTES
    }

    /// Which way.
    #[inline(always)]
    pub const fn access(self) -> Access {
        if self.0 & WRITE == 0 { Access::Read } else { Access::Write }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_keeps_both() {
        for access in [Access::Read, Access::Write] {
            for bytes in [0, 1, 4096, Transfer::MOST_BYTES] {
                let transfer = Transfer::new(access, bytes);
                assert_eq!((transfer.access(), transfer.bytes()), (access, bytes));
            }
        }
    }
}
