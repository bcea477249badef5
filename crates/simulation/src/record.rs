//! The history of a simulation: everything that happened, in order, as data.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::path::ObjectPath;

/// One entry of a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// The simulated time, in milliseconds since the start.
    pub at: u64,
    /// The actor: `user`, `simulator`, or a process, such as `replica-1.2`: the second life of the first replica.
    pub who: String,
    /// The event.
    #[serde(flatten)]
    pub what: What,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[non_exhaustive]
pub enum What {
    /// A user changed an object.
    Changed {
        /// The object.
        object: String,
        /// The change.
        change: String,
        /// Its version afterwards; empty if it has none.
        version: String,
    },
    /// The simulator made a fault.
    Fault {
        /// The fault.
        fault: String,
    },
    /// A process started.
    Started,
    /// A process was killed.
    Killed,
    /// A process ended by itself, or in order.
    Ended {
        /// The error, if it failed.
        error: Option<String>,
    },
    /// A process got a list.
    Listed {
        /// The resource.
        resource: String,
        /// The version of the list.
        version: String,
        /// The objects with their versions.
        objects: Vec<String>,
    },
    /// A watch delivered a change to a process, whose cache has it from now on.
    Saw {
        /// The object.
        object: String,
        /// `ADDED`, `MODIFIED` or `DELETED`.
        change: String,
        /// The version of the object.
        version: String,
    },
    /// A process sent a write.
    Sent {
        /// The number of the request.
        request: u64,
        /// The HTTP method.
        method: String,
        /// The object.
        object: String,
    },
    /// The server carried out or refused a write.
    Wrote {
        /// The number of the request.
        request: u64,
        /// The HTTP method.
        method: String,
        /// The object.
        object: String,
        /// The status of the response.
        status: u16,
        /// The version that the process knew of the object; empty if it knew none.
        known: String,
        /// The version on the server before.
        before: String,
        /// The version afterwards.
        version: String,
        /// The fields that changed.
        fields: Vec<String>,
        /// Whether the request had a precondition: a version or a UID.
        conditional: bool,
        /// Whether the process knew another object of this name, one that is gone.
        mistaken: bool,
    },
    /// A write did not reach the server.
    Lost {
        /// The number of the request.
        request: u64,
    },
    /// The server answered a write with an error, because of a fault.
    Refused {
        /// The number of the request.
        request: u64,
        /// The HTTP method.
        method: String,
        /// The object.
        object: String,
        /// The status of the response.
        status: u16,
    },
    /// A write that the server carried out was not answered.
    Unanswered {
        /// The number of the request.
        request: u64,
    },
    /// A lease has another holder: another replica leads.
    Leads {
        /// The lease.
        lease: String,
        /// The new holder; empty if it was released.
        holder: String,
    },
    /// A property does not hold.
    Broken {
        /// The property.
        property: String,
        /// The details.
        text: String,
    },
    /// All faults are over.
    Healed,
    /// The state did not change any more.
    Quiet,
    /// The user deleted all objects of the workload.
    Deleting,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = Duration::from_millis(self.at).as_secs_f64();
        write!(f, "{seconds:9.3} s  {:12} ", self.who)?;
        let at =
            |version: &str| if version.is_empty() { String::new() } else { format!(" at version {version}") };
        match &self.what {
            What::Changed { object, change, version } => write!(f, "{change} {object}{}", at(version)),
            What::Fault { fault } => write!(f, "FAULT: {fault}"),
            What::Started => f.write_str("starts, with empty caches"),
            What::Killed => f.write_str("is killed"),
            What::Ended { error: None } => f.write_str("ends"),
            What::Ended { error: Some(error) } => write!(f, "ends with an error: {error}"),
            What::Listed { resource, version, objects } => {
                write!(f, "lists {resource}{}: {}", at(version), objects.join(", "))
            }
            What::Saw { object, change, version } => write!(f, "sees {object} {change}{}", at(version)),
            What::Sent { request, method, object } => write!(f, "sends #{request} {method} {object}"),
            What::Wrote { request, method, object, status, known, before, version, fields, .. } => {
                write!(f, "→ server #{request} {method} {object}: {status}")?;
                if *known != *before {
                    let known = if known.is_empty() { "no version" } else { known };
                    let before = if before.is_empty() { "none" } else { before };
                    write!(f, ", the process knew {known}, the server had {before}")?;
                }
                write!(f, "{}", at(version))?;
                if !fields.is_empty() {
                    write!(f, ": {}", fields.join("; "))?;
                }
                Ok(())
            }
            What::Lost { request } => write!(f, "#{request} does not reach the server"),
            What::Refused { request, method, object, status } => {
                write!(f, "→ server #{request} {method} {object}: {status}")
            }
            What::Unanswered { request } => write!(f, "never gets the response to #{request}"),
            What::Leads { lease, holder } if holder.is_empty() => write!(f, "releases {lease}"),
            What::Leads { lease, holder } => write!(f, "{holder} holds {lease} from now on"),
            What::Broken { property, text } => write!(f, "BROKEN: {property}: {text}"),
            What::Healed => f.write_str("all faults are over"),
            What::Quiet => f.write_str("nothing changes any more"),
            What::Deleting => f.write_str("deletes every object of the workload"),
        }
    }
}

/// The history while it grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    now: Duration,
    events: Vec<Event>,
    /// The number of writes of processes that count.
    writes: u64,
    /// When the last one was sent.
    last_write: Duration,
    /// The paths of all objects of each kind that matters.
    collections: BTreeSet<String>,
    /// The objects that processes have created.
    made: BTreeSet<ObjectPath>,
    /// The holders of leases.
    holders: BTreeMap<String, String>,
    /// The versions of leases, events and other bookkeeping that processes have written.
    bookkeeping: BTreeSet<u64>,
}

impl Recorder {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_time(&self, now: Duration) {
        self.inner().now = now;
    }

    pub(crate) fn record(&self, who: &str, what: What) {
        let mut inner = self.inner();
        let at = u64::try_from(inner.now.as_millis()).unwrap_or(u64::MAX);
        inner.events.push(Event { at, who: who.to_owned(), what });
    }

    /// Notes that a process sends a write, and returns the number of writes before it.
    pub(crate) fn count_write(&self) -> u64 {
        let mut inner = self.inner();
        inner.last_write = inner.now;
        inner.writes += 1;
        inner.writes - 1
    }

    pub(crate) fn writes(&self) -> u64 {
        self.inner().writes
    }

    pub(crate) fn last_write(&self) -> Duration {
        self.inner().last_write
    }

    pub(crate) fn note_collection(&self, path: String) {
        self.inner().collections.insert(path);
    }

    pub(crate) fn collections(&self) -> BTreeSet<String> {
        self.inner().collections.clone()
    }

    pub(crate) fn note_made(&self, object: ObjectPath) {
        self.inner().made.insert(object);
    }

    /// Notes the holder of a lease. Returns whether it is another one than before.
    pub(crate) fn note_holder(&self, lease: &str, holder: &str) -> bool {
        let before = self.inner().holders.insert(lease.to_owned(), holder.to_owned());
        before.as_deref() != Some(holder)
    }

    /// Notes the version of a lease, an event or other bookkeeping that a process has written.
    pub(crate) fn note_bookkeeping(&self, version: &str) {
        if let Ok(version) = version.parse() {
            self.inner().bookkeeping.insert(version);
        }
    }

    /// The number of changes from one revision of the servers to another, without those of bookkeeping.
    pub(crate) fn changes(&self, from: u64, to: u64) -> u64 {
        let bookkeeping = self.inner().bookkeeping.range(from.saturating_add(1)..=to.max(from)).count();
        to.saturating_sub(from).saturating_sub(u64::try_from(bookkeeping).unwrap_or(u64::MAX))
    }

    /// The number of events so far.
    pub(crate) fn count(&self) -> usize {
        self.inner().events.len()
    }

    pub(crate) fn made(&self) -> BTreeSet<ObjectPath> {
        self.inner().made.clone()
    }

    pub(crate) fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.inner().events)
    }

    /// Calls a function with the events so far.
    pub(crate) fn look<T>(&self, function: impl FnOnce(&[Event]) -> T) -> T {
        function(&self.inner().events)
    }
}
