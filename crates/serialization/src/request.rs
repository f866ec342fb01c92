//! A request to serialize: the reach of its name, its access, its action when the resource is not available, its task
//! and its door.

use units::Problem;

/// How far a name reaches: the tasks that mean the same resource by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The tasks of one address space of one system.
    Step,
    /// All tasks of one system.
    System,
    /// All tasks of all systems.
    Systems,
}

/// How a resource is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// By any number of tasks at once.
    Shared,
    /// By one task alone.
    Exclusive,
}

/// The action of an ENQ or RESERVE, its `RET=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ret {
    /// Have it, and wait for it; a task that already has it made a mistake.
    None,
    /// Only say whether it could be had.
    Test,
    /// Have it if that takes no waiting.
    Use,
    /// `RET=CHNG`: from shared to exclusive, if that takes no waiting.
    Change,
    /// Have it, and wait for it, unless this task asked before.
    Have,
}

/// The action of a DEQ for a resource that the task does not have, its `RET=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeqRet {
    /// That is a mistake.
    None,
    /// Say so and go on.
    Have,
}

/// The door through which a request comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Linkage {
    /// `LINKAGE=SVC`: a supervisor call, 56 for ENQ and RESERVE, 48 for DEQ.
    Svc,
    /// `LINKAGE=SYSTEM`: a program call.
    Pc,
}

/// The requester: a task of an address space of a system, each by a small number of the caller's choosing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Requester {
    /// The system.
    pub system: u16,
    /// The address space, within its system.
    pub space: u16,
    /// The task, within its address space.
    pub task: u32,
}

/// The volume that a RESERVE is for, by a small number of the caller's choosing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reserve {
    /// The volume.
    pub volume: u32,
}

impl Scope {
    /// All of them, the narrowest first.
    pub const ALL: [Scope; 3] = [Scope::Step, Scope::System, Scope::Systems];

    /// As ENQ writes it.
    pub const fn word(self) -> &'static str {
        match self {
            Scope::Step => "STEP",
            Scope::System => "SYSTEM",
            Scope::Systems => "SYSTEMS",
        }
    }

    /// The scope that a word means, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `scope` when there is no such scope.
    pub fn read(word: &str) -> Result<Self, Box<Problem>> {
        read("scope", word, &Scope::ALL, Scope::word)
    }
}

impl Access {
    /// Both of them.
    pub const ALL: [Access; 2] = [Access::Shared, Access::Exclusive];

    /// As DISPLAY GRS writes it.
    pub const fn word(self) -> &'static str {
        match self {
            Access::Shared => "SHARE",
            Access::Exclusive => "EXCLUSIVE",
        }
    }

    /// The access that a word means, in capitals or not; `S` and `E` will do.
    ///
    /// # Errors
    /// A problem keyed `access` when there is no such access.
    pub fn read(word: &str) -> Result<Self, Box<Problem>> {
        match word {
            "S" | "s" => Ok(Access::Shared),
            "E" | "e" => Ok(Access::Exclusive),
            _ => read("access", word, &Access::ALL, Access::word),
        }
    }
}

impl Ret {
    /// All of them.
    pub const ALL: [Ret; 5] = [Ret::None, Ret::Test, Ret::Use, Ret::Change, Ret::Have];

    /// As ENQ writes it.
    pub const fn word(self) -> &'static str {
        match self {
            Ret::None => "NONE",
            Ret::Test => "TEST",
            Ret::Use => "USE",
            Ret::Change => "CHNG",
            Ret::Have => "HAVE",
        }
    }

    /// The meaning of a word, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `ret` when ENQ has no such word.
    pub fn read(word: &str) -> Result<Self, Box<Problem>> {
        read("ret", word, &Ret::ALL, Ret::word)
    }
}

impl DeqRet {
    /// Both of them.
    pub const ALL: [DeqRet; 2] = [DeqRet::None, DeqRet::Have];

    /// As DEQ writes it.
    pub const fn word(self) -> &'static str {
        match self {
            DeqRet::None => "NONE",
            DeqRet::Have => "HAVE",
        }
    }

    /// The meaning of a word, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `ret` when DEQ has no such word.
    pub fn read(word: &str) -> Result<Self, Box<Problem>> {
        read("ret", word, &DeqRet::ALL, DeqRet::word)
    }
}

impl Linkage {
    /// Both of them.
    pub const ALL: [Linkage; 2] = [Linkage::Svc, Linkage::Pc];

    /// As the macros write it.
    pub const fn word(self) -> &'static str {
        match self {
            Linkage::Svc => "SVC",
            Linkage::Pc => "SYSTEM",
        }
    }

    /// The linkage that a word means, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `linkage` when there is no such linkage.
    pub fn read(word: &str) -> Result<Self, Box<Problem>> {
        read("linkage", word, &Linkage::ALL, Linkage::word)
    }
}

fn read<T: Copy>(key: &str, written: &str, all: &[T], word: fn(T) -> &'static str) -> Result<T, Box<Problem>> {
    if let Some(&found) = all.iter().find(|&&one| word(one).eq_ignore_ascii_case(written)) {
        return Ok(found);
    }
    let capitals = written.to_ascii_uppercase();
    let near = all.iter().map(|&one| (strsim::osa_distance(&capitals, word(one)), word(one)));
    let nearest = near.min().filter(|&(distance, _)| distance <= 2).map(|(_, word)| word);
    let allowed = all.iter().map(|&one| word(one));
    let problem = Problem::new(format!("`{written}` is not a {key}")).key(key);
    Err(Box::new(problem.allowed(allowed).nearest(nearest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back() {
        assert!(Scope::ALL.into_iter().all(|scope| Scope::read(scope.word()) == Ok(scope)));
        assert!(Access::ALL.into_iter().all(|access| Access::read(access.word()) == Ok(access)));
        assert!(Ret::ALL.into_iter().all(|ret| Ret::read(ret.word()) == Ok(ret)));
        assert!(DeqRet::ALL.into_iter().all(|ret| DeqRet::read(ret.word()) == Ok(ret)));
        assert!(Linkage::ALL.into_iter().all(|linkage| Linkage::read(linkage.word()) == Ok(linkage)));
    }

    #[test]
    fn an_unknown_scope_is_told_with_the_nearest() {
        assert_eq!(
            Scope::read("sysems").expect_err("a problem").to_string(),
            "scope: `sysems` is not a scope; allowed: STEP, SYSTEM, SYSTEMS; did you mean SYSTEMS?"
        );
    }
}
