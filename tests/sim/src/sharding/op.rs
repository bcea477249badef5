//! The steps of a history of sharding, as data.

use serde::{Deserialize, Serialize};

/// One step. A step that is not possible in the current state does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// A request reaches the server, which carries it out.
    Arrive(u8),
    /// A response reaches its replica.
    Answer(u8),
    /// A request or response is lost.
    Lose(u8),
    /// A request is sent twice.
    Duplicate(u8),
    /// A request fails without effect.
    Refuse(u8),
    /// Milliseconds pass.
    Wait(u16),
    /// The time of the next wake-up comes, and that replica wakes up.
    Next,
    /// A replica wakes up, if it is due.
    Tick(u8),
    /// For this many milliseconds nothing fails: every message arrives, in order.
    Calm(u16),
    /// A worker of a replica claims a key of a shard.
    Claim(u8, u8),
    /// The work under a claim writes, if its gate is open.
    Write(u8, u8),
    /// A claim ends.
    Done(u8, u8),
    /// A process is paused.
    Pause(u8),
    /// A process continues.
    Resume(u8),
    /// A process is killed, and another takes its place.
    Kill(u8),
    /// A process ends in order, and another takes its place.
    Stop(u8),
    /// The Lease of a shard is deleted.
    Delete(u8),
    /// The Lease of a replica is deleted.
    DeleteMember(u8),
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
                | Self::Delete(_)
                | Self::DeleteMember(_)
        )
    }
}

/// The setup of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The rate of each clock in percent. The fastest is less than 1.5 times as fast as the slowest.
    pub rates: [u8; 3],
    /// Processes end and others begin; otherwise the Lease of a shard may be deleted once. A replica without memory can't
    /// know that there was a Lease.
    pub kills: bool,
    /// The last replica has another number of shards.
    pub odd: bool,
    /// The seed of jitter.
    pub seed: u64,
}
