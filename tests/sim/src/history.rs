//! The history of a run: facts in the order in which they happened.
//!
//! Every tier records the same facts, and every checker is a function over them. In memory an entry is a few words,
//! and a run reuses the memory of the one before. JSON lines are written only on demand.

use std::fmt::Write as _;

use serde::Serialize;

use crate::content::State;

/// A history.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The entries.
    pub entries: Vec<Entry>,
    /// The states of commits; each commit names its part.
    pub states: Vec<(u8, State)>,
    /// Whether the informer has a selector.
    pub selected: bool,
}

/// One fact, with its time and place.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Entry {
    /// Microseconds since the start.
    pub t: u64,
    /// The process: 0 for the server, then one number per replica.
    pub node: u8,
    /// The phase of the operation.
    pub phase: Phase,
    /// The fact.
    pub op: Fact,
}

/// The phase of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It begins.
    Invoke,
    /// It has succeeded.
    Ok,
    /// It has failed.
    Fail,
    /// It has no beginning and no end.
    Info,
}

/// A fact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind")]
pub enum Fact {
    /// The storage has a new state of an object. A deletion has the version at which the object ended.
    Write {
        /// The object.
        key: u8,
        /// The state; for a deletion the last content.
        state: State,
        /// Whether the object was deleted.
        deleted: bool,
    },
    /// The storage was set back to an earlier version. With `bump` its versions continue above all earlier ones.
    Restore {
        /// The version whose state it has.
        to: u32,
        /// The version that it reports.
        version: u32,
        /// Whether versions are not used twice.
        bump: bool,
    },
    /// The storage dropped the history up to a version.
    Compact {
        /// The version.
        version: u32,
    },
    /// A client sent a request.
    Request {
        /// The verb.
        verb: Verb,
        /// The requested version; `None` for the newest.
        version: Option<u32>,
    },
    /// A client got a response.
    Answer {
        /// The verb.
        verb: Verb,
        /// The version of the response.
        version: u32,
        /// Whether other pages follow.
        more: bool,
    },
    /// A client got an error.
    Error {
        /// The error.
        error: Fault,
    },
    /// A client got an event of a watch.
    Event {
        /// The type.
        event: EventType,
        /// The object; none for a bookmark.
        key: Option<u8>,
        /// The version.
        version: u32,
    },
    /// A store has applied a batch.
    Commit {
        /// The version of the store.
        version: u32,
        /// The place of its first object in [`History::states`].
        first: u32,
        /// The number of its objects.
        len: u32,
        /// The objects whose newest version could not be read, one bit per key.
        stale: u8,
        /// The objects that the index by owner finds, one bit per key; the highest bit if one is at a wrong place.
        indexed: u8,
        /// Whether the versions of the server can't be compared with those before, since a restore that nobody could notice.
        unsure: bool,
    },
    /// A handler was added.
    Join {
        /// The handler.
        handler: u8,
        /// Whether it gets only objects that pass.
        filtered: bool,
    },
    /// A handler was removed.
    Leave {
        /// The handler.
        handler: u8,
    },
    /// A handler was notified.
    Notify {
        /// The handler.
        handler: u8,
        /// The kind of the change.
        change: ChangeKind,
        /// The object.
        key: u8,
        /// The state before.
        old: State,
        /// The state now; of a deletion the last one.
        new: State,
    },
    /// A key was put into a work queue.
    Enqueue {
        /// The key.
        key: u8,
    },
    /// A run has begun.
    Run {
        /// The worker.
        worker: u8,
        /// The key.
        key: u8,
        /// A digest of all objects that the run reads.
        view: u64,
    },
    /// A run has ended.
    Done {
        /// The worker.
        worker: u8,
        /// The key.
        key: u8,
    },
    /// A reader waits for a version.
    AtLeast {
        /// The object.
        key: u8,
        /// The version that it wants.
        wanted: u32,
        /// The version of the store when it got its answer.
        store: u32,
        /// The answer.
        answer: Answer,
    },
    /// A reader has read an object.
    Read {
        /// The object.
        key: u8,
        /// The state.
        state: State,
    },
    /// Sizes of the queues.
    Gauge {
        /// Deltas that wait for the store.
        queued: u32,
        /// Notifications that wait for this handler.
        pending: u32,
        /// The handler.
        handler: u8,
        /// The limit of this handler.
        limit: u32,
    },
    /// A client has got objects of a server that uses versions again after a restore, and could not notice it: from here on
    /// its old states may be those of other objects.
    Doubt,
    /// All faults are over.
    Heal,
    /// Nothing is left to do. The digests are those of what a run would read now, per owner.
    Quiet {
        /// Whether all parts came to rest.
        settled: bool,
        /// Whether nobody could notice that versions are used again.
        unsure: bool,
        /// The newest version of the storage.
        version: u32,
        /// Digests of what runs would read, per owner.
        views: [u64; 4],
    },
    /// A term of leadership has begun.
    Term {
        /// The fencing token.
        token: i64,
    },
    /// A term has ended.
    Lost {
        /// The fencing token.
        token: i64,
    },
    /// The work of a term writes; it fails if its gate is closed.
    Effect {
        /// The fencing token of the work.
        token: i64,
    },
    /// A candidate sends a request for the lock (invoke), or the server carries it out (ok, fail).
    Lock {
        /// The verb.
        verb: Verb,
        /// The token in the record that is written; 0 for a read.
        token: i64,
    },
    /// A candidate releases the lock.
    Release {
        /// Whether the work of its term still runs.
        running: bool,
    },
    /// A request or a response is lost.
    LostMessage {
        /// Whether it is a response: the request was carried out.
        response: bool,
    },
    /// The lock is deleted.
    Deleted,
    /// A process begins.
    Began,
    /// A candidate has read the lock: the token in its record, and whether it names this candidate.
    Seen {
        /// The fencing token.
        token: i64,
        /// Whether it is the candidate's own.
        own: bool,
    },
    /// A person has removed the holder from the lock.
    Edited,
    /// A term of a shard has begun.
    ShardTerm {
        /// The shard.
        shard: u8,
        /// The fencing token.
        token: i64,
        /// The number of shards of the replica.
        count: u8,
    },
    /// The work on a key of a shard writes; it fails if its gate is closed.
    ShardWrite {
        /// The shard.
        shard: u8,
        /// The fencing token.
        token: i64,
        /// The number of shards of the replica.
        count: u8,
    },
    /// A replica sends a request that writes the Lease of a shard.
    ShardLease {
        /// The shard.
        shard: u8,
        /// The token in the record.
        token: i64,
    },
    /// A replica releases the Lease of a shard.
    ShardRelease {
        /// The shard.
        shard: u8,
        /// Whether a claim of it still runs.
        running: bool,
    },
    /// A user creates or changes an object.
    Put {
        /// The object.
        key: u8,
        /// The value.
        value: u8,
    },
    /// A user deletes an object, or the one that a controller has made for it.
    Removed {
        /// The object.
        key: u8,
        /// Whether it is the one that a controller has made.
        child: bool,
    },
    /// An object is not as it should be, long after the last fault.
    Unsettled {
        /// The object.
        key: u8,
        /// The value that its user wants; `None` if it was deleted.
        wanted: Option<u8>,
        /// The value that the controller has written; `None` if there is none.
        found: Option<u8>,
    },
    /// Replicas still write, although everything is as it should be.
    Busy {
        /// The number of writes.
        writes: u32,
    },
    /// A process that has ended in order has left tasks behind.
    Leak {
        /// The number of tasks.
        tasks: u32,
    },
    /// A process has ended by itself.
    Ended,
    /// The share of a replica at the end.
    Share {
        /// How many shards can be claimed there.
        held: u8,
        /// Its number of shards.
        count: u8,
        /// Whether it was not refused.
        takes_part: bool,
    },
}

/// The verb of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// A list.
    List,
    /// A watch.
    Watch,
    /// A watch that begins with a list.
    Stream,
    /// A read of one object.
    Get,
    /// A creation.
    Create,
    /// An update.
    Update,
}

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum EventType {
    /// An addition.
    Added,
    /// A change.
    Modified,
    /// A deletion.
    Deleted,
    /// A bookmark.
    Bookmark,
    /// The bookmark at the end of a streamed list.
    EndOfList,
}

/// The kind of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// An addition.
    Added,
    /// A change, or a replay.
    Updated,
    /// A deletion.
    Deleted,
}

/// The answer to a reader that waits for a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The object.
    Object(State),
    /// The object does not exist.
    Missing,
    /// The newest version could not be read.
    Stale,
    /// Another error.
    Failed,
    /// It still waits.
    Waits,
}

/// An error of a request or a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, serde::Deserialize)]
pub enum Fault {
    /// The address refuses connections.
    Refused,
    /// 429.
    Busy,
    /// 500.
    Internal,
    /// 503.
    Unavailable,
    /// 410.
    Expired,
    /// 504: the version is ahead of the server.
    TooLarge,
    /// The connection ended between two events.
    Eof,
    /// The connection ended within an event.
    Cut,
}

impl History {
    /// Empties it, and keeps its memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.states.clear();
    }

    /// Adds a fact.
    pub fn push(&mut self, t: u64, node: u8, phase: Phase, op: Fact) {
        self.entries.push(Entry { t, node, phase, op });
    }

    /// Returns the objects of a commit.
    pub fn objects(&self, first: u32, len: u32) -> &[(u8, State)] {
        &self.states[first as usize..(first + len) as usize]
    }

    /// Writes the last entries as JSON lines; all of them with `usize::MAX`.
    pub fn json_lines(&self, last: usize) -> String {
        let mut lines = String::new();
        let skipped = self.entries.len().saturating_sub(last);
        for entry in &self.entries[skipped..] {
            let mut line = serde_json::to_value(entry).unwrap_or_default();
            if let (Fact::Commit { first, len, .. }, Some(op)) =
                (entry.op, line.get_mut("op").and_then(serde_json::Value::as_object_mut))
            {
                op.remove("first");
                op.remove("len");
                let objects = self.objects(first, len).iter();
                let objects =
                    objects.map(|(key, state)| (key.to_string(), serde_json::json!(state))).collect();
                op.insert("objects".to_owned(), serde_json::Value::Object(objects));
            }
            let _ = writeln!(lines, "{line}");
        }
        lines
    }
}
