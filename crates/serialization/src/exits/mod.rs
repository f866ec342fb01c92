//! Installation exits in front of ENQ and DEQ: at which points they are called, what they may change, and what it costs.
//!
//! # The way of a request
//!
//! Front end of the supervisor call; ISGNQXITFAST per resource, under the lock; ISGNQXIT; name lists; ISGNQXITPREBATCH
//! per resource, under the lock; ISGNQXITBATCH, and ISGNQXITBATCHCND if wanted, per request, without it; the queue; for an
//! ENQ ISGNQXITQUEUED1 and ISGNQXITQUEUED2, if a batch exit saw the request. When the last local requester of a resource
//! leaves, ISGENDOFLQCB. Requests with the scope STEP see none of it.
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
