//! The steps of a history of an informer, as data.

use serde::{Deserialize, Serialize};

use crate::history::Fault;

/// One step. A step that is not possible in the current state does nothing, so that any part of a list of steps is a list of
/// steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    /// Somebody writes an object.
    Write(u8, u8),
    /// Somebody deletes an object.
    Delete(u8),
    /// A watch cache gets the next event.
    Advance(u8),
    /// A watch cache catches up.
    CatchUp(u8),
    /// The storage drops its history up to this many versions before the newest.
    Compact(u8),
    /// A watch cache drops its events.
    Evict(u8),
    /// An API server restarts.
    Restart(u8),
    /// The storage is set back by this many versions; versions are used again.
    Restore(u8),
    /// The storage is set back by this many versions, and its versions continue above all earlier ones.
    RestoreBumped(u8),
    /// New requests go to this API server.
    Route(u8),
    /// The request gets its response.
    Answer,
    /// The request fails; a list after half of its items.
    Fail(Fault),
    /// The watch sends an event.
    Deliver,
    /// The watch sends everything that it has.
    DeliverAll,
    /// The watch sends a bookmark.
    Bookmark,
    /// The watch ends.
    Cut(Fault),
    /// The watch ends with an error of the server.
    Close(Fault),
    /// The connection of the watch dies without a sign.
    Hang,
    /// For a moment every request is answered, and every watch ends at once.
    Flap,
    /// For a moment every request fails.
    Storm(Fault),
    /// The time of the next deadline comes.
    Tick,
    /// Milliseconds pass.
    Sleep(u16),
    /// The informer applies a batch.
    Process,
    /// A handler takes a notification.
    Take(u8),
    /// A handler takes all of its notifications.
    Drain(u8),
    /// A handler is added.
    Join(u8),
    /// A handler is removed.
    Leave(u8),
    /// A worker takes a key and reads the cache.
    Work,
    /// A run succeeds.
    Finish(u8),
    /// A run fails, and is retried later.
    Retry(u8),
    /// A reader waits for the newest version of an object.
    Await(u8),
    /// A reader reads an object.
    Read(u8),
}

/// The actor that performs a step; priorities are given to actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Clients that write.
    Writers,
    /// The watch caches.
    Caches,
    /// The source of faults.
    Faults,
    /// The network.
    Network,
    /// The clock.
    Clock,
    /// The informer.
    Informer,
    /// The first handler; the others follow.
    Handlers,
    /// The second handler.
    SecondHandler,
    /// The workers.
    Workers,
    /// The readers.
    Readers,
}

/// The number of actors.
pub const ACTORS: usize = 10;

impl Op {
    /// Returns whether the step is a fault.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Self::Compact(_)
                | Self::Evict(_)
                | Self::Restart(_)
                | Self::Restore(_)
                | Self::RestoreBumped(_)
                | Self::Route(_)
                | Self::Fail(_)
                | Self::Cut(_)
                | Self::Close(_)
                | Self::Hang
                | Self::Flap
                | Self::Storm(_)
        )
    }

    /// Returns who performs the step.
    pub fn actor(self) -> Actor {
        match self {
            Self::Write(..) | Self::Delete(_) => Actor::Writers,
            Self::Advance(_) | Self::CatchUp(_) => Actor::Caches,
            Self::Answer | Self::Deliver | Self::DeliverAll | Self::Bookmark => Actor::Network,
            Self::Tick | Self::Sleep(_) => Actor::Clock,
            Self::Process => Actor::Informer,
            Self::Take(0) | Self::Drain(0) => Actor::Handlers,
            Self::Take(_) | Self::Drain(_) | Self::Join(_) | Self::Leave(_) => Actor::SecondHandler,
            Self::Work | Self::Finish(_) | Self::Retry(_) => Actor::Workers,
            Self::Await(_) | Self::Read(_) => Actor::Readers,
            _ => Actor::Faults,
        }
    }
}

/// The setup of a history.
#[allow(clippy::struct_excessive_bools, reason = "independent switches")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The informer tries streamed lists.
    pub watch_list: bool,
    /// The number of items per page.
    pub page_size: u8,
    /// The resync period in seconds; 0 for never.
    pub resync: u8,
    /// The informer has a selector.
    pub selected: bool,
    /// The servers have watch caches.
    pub watch_cache: bool,
    /// The limit of the first two handlers, which get merged events beyond it.
    pub limit: u8,
    /// The limit of the handler that the informer waits for.
    pub pace: u8,
    /// The keys that are written.
    pub keys: u8,
    /// Restores are frequent.
    pub restores: bool,
    /// The last state of a deleted object can always be read: a transform that failed before may succeed.
    pub readable_end: bool,
    /// The seed of jitter.
    pub seed: u64,
}
