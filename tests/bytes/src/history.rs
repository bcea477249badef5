//! The history of a run: facts in the order in which they happened.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::time::Instant;

use crate::plan::{Fate, Toward, Verb};

/// A fact and its time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Milliseconds since the start.
    pub t: u64,
    /// The fact.
    pub op: Fact,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind")]
pub enum Fact {
    /// A client starts a request.
    Begin {
        /// The request.
        id: u32,
        /// The method.
        verb: Verb,
        /// Its time limit, in milliseconds.
        limit: Option<u64>,
        /// The pauses of its reader, at most, in milliseconds.
        pauses: u64,
    },
    /// A request has its outcome.
    End {
        /// The request.
        id: u32,
        /// The outcome.
        outcome: Outcome,
    },
    /// The server has got the head of a request.
    Attempt {
        /// The request.
        id: u32,
        /// The number of the attempt.
        attempt: u32,
        /// The connection.
        connection: u32,
        /// The server's reaction.
        fate: Fate,
    },
    /// The server carries out a request.
    Effect {
        /// The request.
        id: u32,
        /// The number of the attempt.
        attempt: u32,
    },
    /// The server has got another body than the client has sent.
    WrongUpload {
        /// The request.
        id: u32,
        /// The number of bytes.
        bytes: u64,
    },
    /// The server has sent the head of a response.
    Answered {
        /// The request.
        id: u32,
        /// The number of the attempt.
        attempt: u32,
        /// The status.
        status: u16,
    },
    /// A client starts a watch.
    Watch {
        /// The watch.
        id: u32,
    },
    /// A watch has an event.
    Event {
        /// The watch.
        id: u32,
        /// The number of the event.
        number: u32,
    },
    /// A watch has ended.
    Ended {
        /// The watch.
        id: u32,
        /// The reason.
        why: String,
    },
    /// The client opens a connection.
    Dial {
        /// The connection; `None` if it is refused.
        connection: Option<u32>,
    },
    /// The client has closed its side of a connection.
    Closed {
        /// The connection.
        connection: u32,
    },
    /// A connection is cut.
    Cut {
        /// The connection.
        connection: u32,
        /// The bytes that have passed to the server.
        sent: u64,
        /// The bytes that have passed to the client.
        received: u64,
        /// Whether the client sees a reset.
        reset: bool,
    },
    /// A direction of a connection stalls.
    Stall {
        /// The connection.
        connection: u32,
        /// The direction.
        toward: Toward,
    },
    /// A direction of a connection trickles.
    Trickle {
        /// The connection.
        connection: u32,
        /// The direction.
        toward: Toward,
    },
    /// All pipes work again.
    Heal,
    /// The server announces the end of a connection.
    GoAway {
        /// The connection.
        connection: u32,
    },
    /// The server ends a connection.
    Abort {
        /// The connection.
        connection: u32,
        /// The error.
        error: String,
    },
    /// New connections are refused, or stay silent.
    Door {
        /// Whether they are refused.
        refused: bool,
    },
    /// The client's connections.
    Gauge {
        /// Those of the pool.
        pooled: u32,
        /// Those that are open.
        open: u32,
        /// Requests and watches in progress.
        active: u32,
    },
    /// All faults are over, except that connections that stall stay dead.
    Over,
    /// A request that must succeed soon.
    Probe {
        /// The request.
        id: u32,
    },
    /// Nothing has happened for longer than an idle connection lives.
    Idle,
    /// The client is gone. These tasks are left of it.
    Left {
        /// Their number.
        tasks: u32,
    },
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Outcome {
    /// A whole response.
    Ok {
        /// Whether its body is what the server has sent.
        same: bool,
        /// The length of its body.
        bytes: u64,
    },
    /// An error.
    Failed {
        /// The error.
        why: String,
    },
    /// The client has dropped it.
    Cancelled,
    /// It had no outcome when the history ended.
    None,
}

/// Records a history.
#[derive(Clone, Debug)]
pub struct Recorder {
    start: Instant,
    entries: Arc<Mutex<Vec<Entry>>>,
}

impl Recorder {
    /// Makes an empty history that starts now.
    pub fn new() -> Self {
        Self { start: Instant::now(), entries: Arc::default() }
    }

    /// Records a fact.
    pub fn record(&self, op: Fact) {
        let t = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.entries().push(Entry { t, op });
    }

    /// Returns the history.
    pub fn take(&self) -> Vec<Entry> {
        std::mem::take(&mut self.entries())
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns a history as JSON lines.
pub fn json_lines(history: &[Entry]) -> anyhow::Result<String> {
    let mut text = String::new();
    for entry in history {
        text.push_str(&serde_json::to_string(entry)?);
        text.push('\n');
    }
    Ok(text)
}
