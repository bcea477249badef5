//! The steps of a history of an election, as data.

use serde::{Deserialize, Serialize};

/// One step. A step that is not possible in the current state does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// A request reaches the server, which carries it out.
    Arrive(u8),
    /// A response reaches its candidate.
    Answer(u8),
    /// A request or response is lost.
    Lose(u8),
    /// A request is sent twice.
    Duplicate(u8),
    /// A request fails without effect.
    Refuse(u8),
    /// Milliseconds pass.
    Wait(u16),
    /// The time of the next wake-up comes, and that candidate wakes up.
    Next,
    /// A candidate wakes up, if it is due.
    Tick(u8),
    /// The work of a candidate writes, if its gate is open.
    Work(u8),
    /// The work of a candidate ends, and with it the term.
    End(u8),
    /// A process is paused.
    Pause(u8),
    /// A process continues.
    Resume(u8),
    /// A process is killed, and another takes its place.
    Kill(u8),
    /// The Lease is deleted.
    Delete,
    /// A candidate that does not lead ends its campaign, and begins another.
    Quit(u8),
    /// A person removes the holder from the Lease, so that another candidate leads at once.
    Edit,
}

impl Op {
    /// Returns whether the step is a fault.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Self::Lose(_)
                | Self::Duplicate(_)
                | Self::Refuse(_)
                | Self::Pause(_)
                | Self::Kill(_)
                | Self::Delete
                | Self::Edit
        )
    }
}

/// The setup of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The rate of each clock in percent. The fastest is less than 1.5 times as fast as the slowest.
    pub rates: [u8; 3],
    /// Processes are killed; otherwise the Lease may be deleted once. A candidate without memory can't know that there was a
    /// Lease, so that no election is safe with both.
    pub kills: bool,
    /// A person may remove the holder from the Lease. Then two lead, until the old leader reads the Lease.
    #[serde(default)]
    pub edits: bool,
    /// Requests that create the Lease arrive late.
    #[serde(default)]
    pub late: bool,
    /// The seed of jitter.
    pub seed: u64,
}
