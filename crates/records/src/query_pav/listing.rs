//! A listing that was read: its devices, and the skipped lines.

use super::agreement;
use super::line::{self, Kind, Standing};
use crate::collector::in_order;
use crate::encoding::{self, Expected};
use units::Problem;

/// "Device" in EBCDIC, the mark of a listing that was moved as binary.
const PAGE: Expected = Expected { page: "the responses to QUERY PAV", ebcdic: &[b"\xC4\x85\xA5\x89\x83\x85\x40"] };

/// The responses to CP QUERY PAV, as far as they say which device belongs where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolListing {
    devices: Vec<Listed>,
    skipped: Vec<Skipped>,
}

/// A device of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its number, in capitals.
    pub device: String,
    /// The first line of the device, counted from one.
    pub line: usize,
    /// Its role.
    pub standing: Standing,
}

/// A line that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Which, counted from one.
    pub line: usize,
    /// Why.
    pub why: Why,
}

/// Why a line was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is not about a device.
    NoDevice,
    /// It is about a device that is neither base nor alias.
    NotPav,
    /// It is about an alias and names neither a pool nor a base.
    Unbound,
}

impl Why {
    /// The reason in words.
    pub const fn text(self) -> &'static str {
        match self {
            Why::NoDevice => "not about a device",
            Why::NotPav => "neither base nor alias",
            Why::Unbound => "an alias of neither a pool nor a base",
        }
    }
}

impl PoolListing {
    /// Reads a listing; `file` is what problems call it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, in the order of its lines: numbers that are none, pools without a name, and
    /// lines that contradict each other. Without any base or alias it is no listing.
    pub fn read(bytes: &[u8], file: &str) -> Result<PoolListing, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut listing = PoolListing::default();
        match encoding::problem(bytes, &PAGE) {
            Some(problem) => problems.push(problem),
            None => listing.take_all(&String::from_utf8_lossy(bytes), &mut problems),
        }
        if problems.is_empty() && listing.devices.is_empty() {
            let allowed = "a line per device: Device 522A is a HyperPAV base in pool 1";
            problems.push(Problem::new("lists no base and no alias").allowed([allowed]));
        }
        if problems.is_empty() {
            return Ok(listing);
        }
        Err(in_order(problems, file))
    }

    /// The devices, in the order of the listing, each once.
    pub fn devices(&self) -> &[Listed] {
        &self.devices
    }

    /// The entry of a device, whatever the case of its number.
    pub fn device(&self, number: &str) -> Option<&Listed> {
        self.devices.iter().find(|listed| listed.device.eq_ignore_ascii_case(number))
    }

    /// The lines that were passed over.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    fn take_all(&mut self, text: &str, problems: &mut Vec<Problem>) {
        let mut told = Vec::new();
        for (at, text) in text.lines().enumerate() {
            match line::read(text, at + 1) {
                Ok(kind) => self.take(kind, at + 1, &mut told),
                Err(problem) => problems.push(*problem),
            }
        }
        self.devices = agreement::agree(told, problems);
    }

    fn take(&mut self, kind: Kind, line: usize, told: &mut Vec<Listed>) {
        match kind {
            Kind::Device { device, standing } => told.push(Listed { device, line, standing }),
            Kind::More(numbers) => match told.last_mut().map(|listed| &mut listed.standing) {
                Some(Standing::Base { aliases }) => aliases.extend(numbers),
                Some(Standing::PoolBase { .. } | Standing::PoolAlias { .. } | Standing::BoundAlias { .. }) | None => {
                    self.skip(line, Why::NoDevice);
                }
            },
            Kind::Unbound { .. } => self.skip(line, Why::Unbound),
            Kind::Neither { .. } => self.skip(line, Why::NotPav),
            Kind::Other => self.skip(line, Why::NoDevice),
            Kind::Blank => {}
        }
    }

    fn skip(&mut self, line: usize, why: Why) {
        self.skipped.push(Skipped { line, why });
    }
}
