//! The five ways in which a manager of several systems was put in front of ENQ and DEQ, one after the other.

use super::multi_image::Manager;
use super::point::Point;
use super::routine::Routine;
use super::storage::{Area, Storage};
use super::walk::Exits;
use crate::name_list::NameLists;
use crate::name_list::word;
use units::Problem;

/// The name under which the manager's exits are installed.
const MANAGER: &str = "MANAGER";

/// A way in which exits are set up.
///
/// Source: GRS/MIM Installation Exit Performance, the five rows of the table and its notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Structure {
    /// No exits, and no manager.
    None,
    /// Row 1: a manager in front of the supervisor call, and a branch in the midst of DEQ; no exits.
    SvcFrontEnd,
    /// Row 2: the batch exit for each request, its storage obtained each time.
    Batch,
    /// Row 3: fast exits that say whether the conditional batch exit is wanted; storage from pools.
    PrebatchPooled12,
    /// Row 4: the same on the next level of the system.
    PrebatchPooled14,
    /// Row 5: the same, with a single area for the parameter lists of fast exits.
    PrebatchSingleArea,
}

impl Structure {
    /// All of them.
    pub const ALL: [Structure; 6] = [
        Structure::None,
        Structure::SvcFrontEnd,
        Structure::Batch,
        Structure::PrebatchPooled12,
        Structure::PrebatchPooled14,
        Structure::PrebatchSingleArea,
    ];

    /// Their names.
    pub const WORDS: [&str; Structure::ALL.len()] = {
        let mut words = [""; Structure::ALL.len()];
        let mut at = 0;
        while at < words.len() {
            words[at] = Structure::ALL[at].word();
            at += 1;
        }
        words
    };

    /// The name of it.
    pub const fn word(self) -> &'static str {
        match self {
            Structure::None => "none",
            Structure::SvcFrontEnd => "svc-front-end",
            Structure::Batch => "batch",
            Structure::PrebatchPooled12 => "prebatch-pooled-1.2",
            Structure::PrebatchPooled14 => "prebatch-pooled-1.4",
            Structure::PrebatchSingleArea => "prebatch-single-area",
        }
    }

    /// The structure that a word means, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `exits` when there is no such structure.
    pub fn read(written: &str) -> Result<Self, Box<Problem>> {
        word::read("exits", written, &Structure::ALL, Structure::word)
    }

    /// The storage that its exits use.
    pub const fn storage(self) -> Storage {
        match self {
            Structure::None | Structure::SvcFrontEnd | Structure::Batch => Storage::of(Area::Obtained),
            Structure::PrebatchPooled12 | Structure::PrebatchPooled14 => Storage::of(Area::Pooled),
            Structure::PrebatchSingleArea => Storage::of(Area::Single),
        }
    }

    /// The points at which its manager has exits.
    ///
    /// Rows 2 to 5: the batch exit, the first queued exit and the end of local resources; from row 3 on the fast exits too.
    pub const fn points(self) -> &'static [Point] {
        match self {
            Structure::None | Structure::SvcFrontEnd => &[],
            Structure::Batch => &[Point::Batch, Point::Queued1, Point::EndOfLocalQcb],
            Structure::PrebatchPooled12 | Structure::PrebatchPooled14 | Structure::PrebatchSingleArea => {
                &[Point::Fast, Point::Prebatch, Point::BatchConditional, Point::Queued1, Point::EndOfLocalQcb]
            }
        }
    }
}

impl Exits {
    /// The exits of a structure, with a manager behind them.
    pub fn structure(structure: Structure, lists: NameLists, manager: &Manager) -> Self {
        let mut exits = Exits::new(lists, structure.storage());
        for &point in structure.points() {
            let routine = Routine::Manager(Box::new(manager.clone()));
            exits.add(point, MANAGER, routine).expect("a point has one manager");
        }
        if structure == Structure::SvcFrontEnd {
            exits.set_front_end(Some(manager.clone()));
        }
        exits
    }
}
