//! Whether a directory is a control group, by the type of the file system that it is on.

use rustix::fs::statfs;
use std::path::Path;

/// Types of file systems as statfs(2) lists them.
const CGROUP: u64 = 0x0027_E0EB;
const CGROUP2: u64 = 0x6367_7270;

/// The version of control groups that a directory belongs to, 1 or 2; 0 for any other file system or none.
pub fn version(directory: &Path) -> u8 {
    match statfs(directory).map(|system| system.f_type as u64) {
        Ok(CGROUP) => 1,
        Ok(CGROUP2) => 2,
        _ => 0,
    }
}
