//! The exits that are installed, each at a point by a name: added and deleted while requests go on, removed when they fail.

use super::point::{Change, POINTS, Point};
use super::routine::Routine;
use crate::name_list::word::{nearest, shown};
use units::Problem;

/// How long the name of an exit routine may be.
const NAME_MOST: usize = 8;

/// An exit at a point, and what became of it.
#[derive(Debug)]
pub struct Installed {
    /// Where it is called.
    pub point: Point,
    /// Its name, that of a module: one to eight characters.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// Whether it failed and is not called any more.
    pub failed: bool,
    pub(super) routine: Routine,
    pub(super) refused: u16,
}

impl Installed {
    /// The actions that it requested and may not request at its point; none was carried out.
    pub fn refused(&self) -> impl Iterator<Item = Change> {
        let refused = self.refused;
        Change::ALL.into_iter().filter(move |change| refused & change.bit() != 0)
    }
}

/// The exits of a system, by point and in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Program {
    at: [Vec<Installed>; POINTS],
}

impl Program {
    pub(super) fn at(&self, point: Point) -> &[Installed] {
        &self.at[point as usize]
    }

    pub(super) fn at_mut(&mut self, point: Point) -> &mut [Installed] {
        &mut self.at[point as usize]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Installed> {
        self.at.iter().flatten()
    }

    /// Whether there is an exit to call.
    #[inline]
    pub(super) fn is_defined(&self, point: Point) -> bool {
        self.at(point).iter().any(|one| !one.failed)
    }

    /// Adds an exit behind those that are there; one that failed makes room for one of its name.
    pub(super) fn add(&mut self, point: Point, name: &str, routine: Routine) -> Result<(), Box<Problem>> {
        if name.is_empty() || name.len() > NAME_MOST {
            let what = format!("the name `{}` has {} characters", shown(name), name.len());
            return Err(Box::new(Problem::new(what).key("exit").allowed([format!("1 to {NAME_MOST} characters")])));
        }
        let list = &mut self.at[point as usize];
        if list.iter().any(|one| one.name == name && !one.failed) {
            let what = format!("{} has an exit `{name}` already", point.word());
            return Err(Box::new(Problem::new(what).key("exit").because("an exit is called once at a point")));
        }
        list.retain(|one| one.name != name);
        list.push(Installed { point, name: name.into(), calls: 0, failed: false, routine, refused: 0 });
        Ok(())
    }

    /// Takes an exit away.
    pub(super) fn delete(&mut self, point: Point, name: &str) -> Result<(), Box<Problem>> {
        let list = &mut self.at[point as usize];
        if let Some(place) = list.iter().position(|one| one.name == name) {
            list.remove(place);
            return Ok(());
        }
        let names: Vec<&str> = list.iter().map(|one| one.name.as_str()).collect();
        let near = nearest(name, &names);
        let what = format!("{} has no exit `{}`", point.word(), shown(name));
        Err(Box::new(Problem::new(what).key("exit").nearest(near).allowed(names)))
    }
}
