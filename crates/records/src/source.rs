//! Files of monitor data as they come: plain or in gzip, from a name or from memory.

use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes that are read from a file at a time.
const BUFFER: usize = 1 << 18;

/// The first bytes of a gzip member (RFC 1952).
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Opens a regular file; what is in gzip is unpacked while it is read.
///
/// # Errors
///
/// Those of the system; anything but a regular file is refused, as a pipe would be waited for.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    unpacked(BufReader::with_capacity(BUFFER, file))
}

/// Bytes from memory; what is in gzip is unpacked while it is read.
///
/// # Errors
///
/// None that memory can give.
pub fn of_bytes(bytes: Vec<u8>) -> io::Result<Box<dyn Read + Send>> {
    unpacked(io::Cursor::new(bytes))
}

fn unpacked(mut input: impl BufRead + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let packed = input.fill_buf()?.starts_with(&GZIP);
    if packed {
        Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input))))
    } else {
        Ok(Box::new(input))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn read(bytes: Vec<u8>) -> Vec<u8> {
        let mut read = Vec::new();
        of_bytes(bytes).unwrap().read_to_end(&mut read).unwrap();
        read
    }

    #[test]
    fn gzip_is_unpacked_and_anything_else_is_as_it_is() {
        let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"records").unwrap();
        assert_eq!(read(packed.finish().unwrap()), b"records");
        assert_eq!(read(b"records".to_vec()), b"records");
        assert_eq!(read(vec![]), b"");
    }

    #[test]
    fn a_folder_is_not_read() {
        assert!(open(Path::new(".")).is_err());
    }
}
