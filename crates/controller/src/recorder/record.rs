//! The records. Each has keys, versions, codes and times, and no value of an object.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use client_rs_machinery::ObjectKey;

use crate::ReconcileOutcome;

/// The namespace and name of an object, or another short text in `name`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
}

impl<'a> Name<'a> {
    pub(crate) fn of(key: &'a ObjectKey) -> Self {
        Self { namespace: &key.namespace, name: &key.name }
    }

    pub(crate) fn text(name: &'a str) -> Self {
        Self { namespace: "", name }
    }

    pub(crate) fn is(self, key: &ObjectKey) -> bool {
        self.namespace == key.namespace.as_str() && self.name == key.name.as_str()
    }

    pub(crate) fn key(self) -> ObjectKey {
        ObjectKey::new(self.namespace, self.name)
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.namespace.is_empty() {
            write!(f, "{}/", self.namespace)?;
        }
        f.write_str(self.name)
    }
}

/// A resource with its subresource: `pods`, `deployments.apps/status`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ResourceName<'a> {
    pub(crate) group: &'a str,
    pub(crate) resource: &'a str,
    pub(crate) subresource: &'a str,
}

impl fmt::Display for ResourceName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.resource)?;
        for (separator, text) in [('.', self.group), ('/', self.subresource)] {
            if !text.is_empty() {
                write!(f, "{separator}{text}")?;
            }
        }
        Ok(())
    }
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    /// Microseconds since the recorder was made.
    pub(crate) at: i64,
    /// The number of the controller.
    pub(crate) controller: u32,
    pub(crate) what: What<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What<'a> {
    /// A handler was notified.
    Event(Event<'a>),
    /// A run has ended, and has sent these requests.
    Run(Run<'a>, Vec<Sent<'a>>),
    /// A key was enqueued without an event.
    Enqueued { key: Name<'a>, cause: Cause },
    /// All primary objects, or all of a shard, were enqueued.
    EnqueuedAll { cause: Cause, count: u64 },
    /// A key left the queue without a run.
    Skipped { key: Name<'a>, why: Skip },
    /// A key waits until a cache shows an own write.
    Held { key: Name<'a> },
    /// Such a wait is over.
    Released { key: Name<'a>, waited: u64, caught_up: bool },
    /// A run, whose record has the same time, read the cache of an informer that had no first list.
    UnsyncedRead { key: Name<'a>, informer: &'a str },
    /// The controller has another phase.
    Phase(u8),
    /// A shard has arrived or left.
    Shard { shard: u32, held: bool },
    /// An informer has relisted, or a list or watch failed, this many times.
    Informer { source: u8, change: InformerChange, count: u64 },
}

/// An event of an informer, and what the controller made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event<'a> {
    /// The position of the informer among the controller's.
    pub(crate) source: u8,
    pub(crate) object: Name<'a>,
    /// The version after the event; zero if it is not a number.
    pub(crate) version: u64,
    pub(crate) kind: EventKind,
    /// The parts that changed, as bits of [`changed`].
    pub(crate) changed: u8,
    pub(crate) verdict: Verdict<'a>,
    /// Whether a predicate or a mapping function panicked.
    pub(crate) panicked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum EventKind {
    Added,
    /// Existed when the handler was added.
    Initial,
    Updated,
    /// An update without a new version.
    Resync,
    Deleted,
}

/// The parts that changed in an update.
pub(crate) mod changed {
    /// `metadata.generation`, so the spec.
    pub(crate) const SPEC: u8 = 1;
    pub(crate) const LABELS: u8 = 1 << 1;
    pub(crate) const ANNOTATIONS: u8 = 1 << 2;
    pub(crate) const FINALIZERS: u8 = 1 << 3;
    pub(crate) const OWNERS: u8 = 1 << 4;
    /// The deletion began.
    pub(crate) const DELETION: u8 = 1 << 5;
    /// Another object with the same name.
    pub(crate) const UID: u8 = 1 << 6;
    /// The version, and none of the others: the status, or the content of an object without a generation.
    pub(crate) const OTHER: u8 = 1 << 7;
}

/// The outcome of predicates and mapping for one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict<'a> {
    /// The object's own key was enqueued.
    Own,
    /// A part of the predicate refused it.
    Refused { part: u8 },
    /// These keys were enqueued. `total` may be more than there are names.
    Mapped { keys: Names<'a>, total: u64 },
}

/// Names. Most events affect one key: nothing is allocated for it.
#[derive(Clone, Debug)]
pub(crate) enum Names<'a> {
    One(Name<'a>),
    Several(Vec<Name<'a>>),
}

impl<'a> FromIterator<Name<'a>> for Names<'a> {
    fn from_iter<I: IntoIterator<Item = Name<'a>>>(names: I) -> Self {
        let mut names = names.into_iter();
        match (names.size_hint(), names.next()) {
            ((_, Some(1)), Some(only)) => Self::One(only),
            (_, first) => Self::Several(first.into_iter().chain(names).collect()),
        }
    }
}

impl<'a> Deref for Names<'a> {
    type Target = [Name<'a>];

    fn deref(&self) -> &[Name<'a>] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

impl PartialEq for Names<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Names<'_> {}

/// Why a key was enqueued, if not because of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Cause {
    /// Its run was dropped: a stop, a lost term or a lost shard.
    Dropped,
    /// This replica leads again.
    LaterTerm,
    /// A shard has arrived.
    ShardArrived,
    /// The function that maps an object to keys panicked.
    MappingPanicked,
    /// The settle window of the key is over.
    Settled,
}

/// Why a key left the queue without a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// This replica does not hold its shard.
    OtherShard(u32),
    /// Its last run ended too recently; the milliseconds that it waits.
    Settling(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum InformerChange {
    Relisted,
    Failed,
}

/// A run that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run<'a> {
    pub(crate) key: Name<'a>,
    /// Microseconds, until the time of the record.
    pub(crate) took: u64,
    /// Microseconds in the queue, if the queue measures it.
    pub(crate) waited: Option<u64>,
    /// The failures before this run.
    pub(crate) failures: u32,
    pub(crate) outcome: ReconcileOutcome,
    /// The delay that the run asked for, in milliseconds.
    pub(crate) again: Option<u64>,
    /// The status code in the error, or zero.
    pub(crate) code: u16,
    /// A hash of the error's text, so that equal errors are known as equal; zero if there was none.
    pub(crate) error: u32,
    /// The versions that the handlers of the sources had seen when the run began.
    pub(crate) versions: Cow<'a, [u64]>,
    /// The number of requests that are not recorded.
    pub(crate) more: u64,
}

/// A request of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent<'a> {
    pub(crate) verb: Method,
    pub(crate) resource: ResourceName<'a>,
    pub(crate) object: Name<'a>,
    /// The status of the response; zero if there was none.
    pub(crate) status: u16,
    /// Microseconds from the start of the run.
    pub(crate) after: u64,
    /// Microseconds.
    pub(crate) took: u64,
    /// The version that a write returned; zero if it is not known.
    pub(crate) version: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
    Other,
    /// A write that was not sent, because it would have changed nothing.
    Suppressed,
}

impl Method {
    pub(crate) fn is_write(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch | Self::Delete)
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Other => "request",
            Self::Suppressed => "write not sent",
        }
    }
}

/// A type whose values are numbers from zero.
pub(super) trait Coded: Sized + Copy + 'static {
    const ALL: &'static [Self];

    fn of(code: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }
}

impl Coded for EventKind {
    const ALL: &'static [Self] = &[Self::Added, Self::Initial, Self::Updated, Self::Resync, Self::Deleted];
}

impl Coded for Cause {
    const ALL: &'static [Self] =
        &[Self::Dropped, Self::LaterTerm, Self::ShardArrived, Self::MappingPanicked, Self::Settled];
}

impl Coded for InformerChange {
    const ALL: &'static [Self] = &[Self::Relisted, Self::Failed];
}

impl Coded for Method {
    const ALL: &'static [Self] =
        &[Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete, Self::Other, Self::Suppressed];
}

impl Coded for ReconcileOutcome {
    const ALL: &'static [Self] = &[
        Self::Success,
        Self::Requeue,
        Self::RequeueAfter,
        Self::Error,
        Self::TerminalError,
        Self::Panic,
        Self::Timeout,
        Self::Cancelled,
    ];
}
