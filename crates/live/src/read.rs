//! Reads of a scratch file past the page cache, so that each is one of the disk's.

use crate::setup::Wait;
use kernel::draw::Draw;
use rustix::fs::{Mode, OFlags, open};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use units::Problem;

/// An open scratch file and the memory that it is read into.
pub struct Scratch {
    file: File,
    memory: Vec<u8>,
    from: usize,
    bytes: usize,
    places: u32,
    name: String,
}

impl Scratch {
    /// Open a file for direct reads of this many bytes.
    ///
    /// # Errors
    /// When there is no such file, it is shorter than one read, or its file system has no direct reads.
    pub fn open(path: &Path, bytes: usize) -> Result<Self, Box<Problem>> {
        let name = path.display().to_string();
        let opened = open(path, OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC, Mode::empty());
        let file = File::from(opened.map_err(|error| refused(&name, &error.to_string()))?);
        let length = file.metadata().map_err(|error| refused(&name, &error.to_string()))?.len();
        let blocks = length.saturating_sub(bytes as u64) / Wait::BLOCK as u64;
        if length < bytes as u64 {
            return Err(refused(&name, &format!("it has {length} bytes, fewer than one read of {bytes}")));
        }
        let memory = vec![0; bytes + Wait::BLOCK];
        let from = memory.as_ptr().align_offset(Wait::BLOCK);
        Ok(Scratch { file, memory, from, bytes, places: blocks.min(u64::from(u32::MAX) - 1) as u32 + 1, name })
    }

    /// Read once at a random place, and be back when the disk is through.
    ///
    /// # Errors
    /// As the system gives it.
    pub fn read(&mut self, draw: &mut Draw) -> Result<(), Box<Problem>> {
        let at = u64::from(draw.below(self.places)) * Wait::BLOCK as u64;
        let into = &mut self.memory[self.from..self.from + self.bytes];
        self.file.read_exact_at(into, at).map_err(|error| refused(&self.name, &error.to_string()))
    }
}

fn refused(name: &str, why: &str) -> Box<Problem> {
    let problem = Problem::new("cannot be read past the page cache (O_DIRECT)").in_file(name).key("disk");
    Box::new(
        problem.because(why).allowed(["a directory on a disk whose file system has direct reads: ext4, xfs, btrfs"]),
    )
}
