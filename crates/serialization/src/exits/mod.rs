//! Installation exits in front of ENQ and DEQ: at which points they are called, what they may change, and what it costs.
//!
//! # The way of a request
//!
//! First comes the front end of the supervisor call.  Per resource, under the lock: ISGNQXITFAST; then ISGNQXIT, the
//! name lists, and again under the lock ISGNQXITPREBATCH.  Per request, without the lock: ISGNQXITBATCH, and
//! ISGNQXITBATCHCND if requested.  After the queue, for an ENQ that a batch exit saw: ISGNQXITQUEUED1 and
//! ISGNQXITQUEUED2.  When the last local requester of a resource leaves: ISGENDOFLQCB.  Requests with the scope STEP
//! pass no exit.
//!
//! Source: MVS Installation Exits (SA23-1381), the pages of these exits; GRS/MIM Installation Exit Performance.

mod account;
mod cache;
mod call;
mod costs;
mod installed;
mod memo;
mod multi_image;
mod names;
mod point;
mod request;
mod routine;
mod storage;
mod structure;
mod table;
mod walk;

pub use account::{Account, Class, Visits};
pub use call::{Call, Exit, Failed, MustNot};
pub use costs::{Costs, MOST_STRETCHES, Piece, Stretch, Stretches};
pub use installed::Installed;
pub use memo::{EndMemo, Memo};
pub use multi_image::Manager;
pub use names::{NameId, Names};
pub use point::{Change, POINTS, Point};
pub use request::{Asked, Fate, Request, Settled, Verb, Way};
pub use routine::Routine;
pub use storage::{Area, Storage};
pub use structure::Structure;
pub use table::{Answer, Table};
pub use walk::Exits;
