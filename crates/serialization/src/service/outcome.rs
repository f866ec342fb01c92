//! The outcome of a request: done, not available, an error with a return code, or an abend.

/// An abnormal end of the caller; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Abend {
    /// X'0F8': the service may not be called from there. ASSUME: a program call with a lock held ends as a supervisor
    /// call does.
    Environment,
    /// X'130': an unconditional DEQ of what the task never asked for, or has released.
    NotRequested,
    /// X'138': an unconditional ENQ of what the task asked for before.
    Duplicate,
    /// X'330': an unauthorized DEQ of a qname that only authorized programs may use.
    QnameDeq,
    /// X'338': an unauthorized ENQ of such a qname.
    QnameEnq,
    /// X'438': the parameters of an ENQ do not go together, such as a RESERVE with the scope STEP.
    Parameters,
    /// X'530': an unconditional DEQ of what the task still waits for.
    StillWaiting,
    /// X'538': an unconditional ENQ by an address space with as many requests as it may have.
    OverLimit,
}

impl Abend {
    /// All of them, by code.
    pub const ALL: [Abend; 8] = [
        Abend::Environment,
        Abend::NotRequested,
        Abend::Duplicate,
        Abend::QnameDeq,
        Abend::QnameEnq,
        Abend::Parameters,
        Abend::StillWaiting,
        Abend::OverLimit,
    ];

    /// The system completion code. Source: MVS System Codes (SA38-0665), 0F8 with the reasons 08 and 10, 138, 330, 338,
    /// 438, 530, and 538 in the description of ENQ. ASSUME: X'130', whose page was not found.
    pub const fn code(self) -> u16 {
        match self {
            Abend::Environment => 0x0f8,
            Abend::NotRequested => 0x130,
            Abend::Duplicate => 0x138,
            Abend::QnameDeq => 0x330,
            Abend::QnameEnq => 0x338,
            Abend::Parameters => 0x438,
            Abend::StillWaiting => 0x530,
            Abend::OverLimit => 0x538,
        }
    }

    /// The caller's error, as a statement.
    pub const fn text(self) -> &'static str {
        match self {
            Abend::Environment => "the service may not be called from there",
            Abend::NotRequested => "the task has not asked for the resource",
            Abend::Duplicate => "the task has asked for the resource before",
            Abend::QnameDeq | Abend::QnameEnq => "only authorized programs may use this qname",
            Abend::Parameters => "a RESERVE reaches beyond one address space",
            Abend::StillWaiting => "the task still waits for the resource",
            Abend::OverLimit => "the address space has as many requests as it may have",
        }
    }
}

/// The outcome of an ENQ or a RESERVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EnqOutcome {
    /// The task has the resource now.
    Granted,
    /// The task is queued and has to wait; its grant will be an effect of another's release.
    Waits,
    /// It could be had at once (TEST).
    Available,
    /// It cannot be had at once (TEST, USE).
    Unavailable,
    /// The task alone has it now (CHNG).
    Changed,
    /// Others have it too (CHNG).
    SharedByOthers,
    /// The task has had it already (TEST, USE, HAVE).
    Held,
    /// The task has not asked for it (CHNG).
    NotHeld,
    /// The task has asked for it already and still waits (TEST, USE, CHNG, HAVE).
    Outstanding,
    /// The address space has as many requests as it may have (USE, HAVE).
    OverLimit,
    /// The caller ends abnormally.
    Abend(Abend),
}

impl EnqOutcome {
    /// The value of register 15; None while the task waits and when it ends.
    ///
    /// Source: MVS Programming: Authorized Assembler Services Reference, ENQ, Return and Reason Codes. 0, 4 for TEST,
    /// 8, X'14' and X'18' are as the return codes of IMFEXEC VENQ repeat them (BMC AMI Ops Automation). ASSUME: those
    /// of CHNG, whose table was not found.
    pub const fn return_code(self) -> Option<u8> {
        match self {
            EnqOutcome::Granted | EnqOutcome::Available | EnqOutcome::Changed => Some(0),
            EnqOutcome::Unavailable | EnqOutcome::SharedByOthers => Some(4),
            EnqOutcome::Held | EnqOutcome::NotHeld => Some(8),
            EnqOutcome::Outstanding => Some(0x14),
            EnqOutcome::OverLimit => Some(0x18),
            EnqOutcome::Waits | EnqOutcome::Abend(_) => None,
        }
    }

    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            EnqOutcome::Granted => "granted",
            EnqOutcome::Waits => "waits",
            EnqOutcome::Available => "available",
            EnqOutcome::Unavailable => "unavailable",
            EnqOutcome::Changed => "changed",
            EnqOutcome::SharedByOthers => "shared by others",
            EnqOutcome::Held => "held",
            EnqOutcome::NotHeld => "not held",
            EnqOutcome::Outstanding => "outstanding",
            EnqOutcome::OverLimit => "over limit",
            EnqOutcome::Abend(_) => "abend",
        }
    }
}

/// The outcome of a DEQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeqOutcome {
    /// The task no longer has the resource.
    Released,
    /// The task still waits for it, and goes on waiting (HAVE).
    Outstanding,
    /// The task has not asked for it, or has released it (HAVE).
    NotRequested,
    /// The caller ends abnormally.
    Abend(Abend),
}

impl DeqOutcome {
    /// The value of register 15; None when the caller ends.
    ///
    /// Source: MVS Programming: Authorized Assembler Services Reference, DEQ, Return and Reason Codes. ASSUME: that
    /// they are these; the table was not found.
    pub const fn return_code(self) -> Option<u8> {
        match self {
            DeqOutcome::Released => Some(0),
            DeqOutcome::Outstanding => Some(4),
            DeqOutcome::NotRequested => Some(8),
            DeqOutcome::Abend(_) => None,
        }
    }

    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            DeqOutcome::Released => "released",
            DeqOutcome::Outstanding => "outstanding",
            DeqOutcome::NotRequested => "not requested",
            DeqOutcome::Abend(_) => "abend",
        }
    }
}
