//! The steps of a history of whole replicas, as data.

use serde::{Deserialize, Serialize};

/// One step. A step that is not possible in the current state does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Everything runs for this many milliseconds.
    Run(u16),
    /// A user creates or changes an object.
    Put(u8, u8),
    /// A user deletes an object.
    Delete(u8),
    /// A user deletes the object that a controller has made.
    DeleteChild(u8),
    /// A process is killed, with all of its tasks, and another takes its place.
    Kill(u8),
    /// A process ends in order, and another takes its place when it has ended.
    Stop(u8),
    /// A process is paused.
    Pause(u8),
    /// A process continues.
    Resume(u8),
    /// Connections of a process to the servers are refused.
    Refuse(u8),
    /// Requests of a process do not arrive.
    LoseRequests(u8),
    /// Responses to a process do not arrive.
    LoseResponses(u8),
    /// Requests of a process get an error of this kind.
    Storm(u8, u8),
    /// The network of a process works again.
    Heal(u8),
    /// Open watches of a process end within an event, or at one.
    Cut(u8),
    /// Open watches of a process are silent from now on.
    Hang(u8),
    /// Events reach a process this many times 100 ms late.
    Lag(u8, u8),
    /// New requests of a process go to this server.
    Route(u8, u8),
    /// The servers drop their history.
    Compact,
    /// The next request of a process is carried out, and its response is lost.
    LoseNext(u8),
}

impl Op {
    /// Returns whether the step is a fault.
    pub fn is_fault(self) -> bool {
        !matches!(
            self,
            Self::Run(_)
                | Self::Put(..)
                | Self::Delete(_)
                | Self::DeleteChild(_)
                | Self::Stop(_)
                | Self::Resume(_)
                | Self::Heal(_)
                | Self::Route(..)
        )
    }
}

/// The setup of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The number of replicas, from 1 to 4.
    pub replicas: u8,
    /// Whether one replica leads; otherwise they share the keys.
    pub elected: bool,
    /// The seed of everything else.
    pub seed: u64,
}
