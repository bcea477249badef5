//! A model of a control plane: one storage with a log of revisions, and API servers whose watch caches lag.
//!
//! It follows kube-apiserver: a list without a version comes from the storage, one at version 0 from the watch cache at any
//! age, one at another version from a cache that has reached it. A watch from a version that a cache no longer
//! has is "expired"; one from a version that is yet to come is silent.

use client_rs_machinery::meta::v1::ListOptions;

use crate::content::{KEYS, SELECTED, State, number};
use crate::history::EventType;

/// One revision of the storage.
#[derive(Clone, Copy, Debug)]
pub struct Revision {
    /// The revision.
    pub version: u32,
    /// The object.
    pub key: u8,
    /// The state; for a deletion the last content, at the version of the deletion.
    pub state: State,
    /// Whether it was deleted.
    pub deleted: bool,
    /// The state before; version 0 if there was none.
    pub before: State,
}

/// The storage.
#[derive(Clone, Debug, Default)]
pub struct Etcd {
    log: Vec<Revision>,
    version: u32,
    compacted: u32,
    /// The highest version ever used.
    highest: u32,
    next_uid: u32,
    /// Where its versions began after the last bump.
    floor: u32,
}

/// An API server.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// The version that its watch cache has reached.
    pub at: u32,
    /// Its watch cache has the events after this version.
    pub window: u32,
}

/// A control plane.
#[derive(Clone, Debug)]
pub struct Server {
    /// The storage.
    pub etcd: Etcd,
    /// The API servers.
    pub instances: Vec<Instance>,
    /// Whether only objects that match the selector are listed and watched.
    pub selected: bool,
    /// Whether lists and watches come from a watch cache.
    pub watch_cache: bool,
    /// Whether a watch from a version that is yet to come is refused. Real servers are silent.
    pub refuses_future: bool,
}

/// An open watch, as the server has it.
#[derive(Clone, Debug)]
pub struct Watcher {
    /// The server.
    pub instance: u8,
    /// Events after this version are sent.
    pub next: u32,
    /// Objects that existed at the start and were not sent yet, the last one first.
    pub initial: Vec<(u8, State)>,
    /// Whether the bookmark that ends the initial objects has to be sent.
    pub owes_bookmark: bool,
    /// Whether the connection is dead, unnoticed by both sides.
    pub hangs: bool,
}

/// An event of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The type.
    pub event: EventType,
    /// The object.
    pub key: u8,
    /// The state; of a deletion the last one at the version of the deletion.
    pub state: State,
}

/// A page of a list.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The objects.
    pub objects: Vec<(u8, State)>,
    /// The version of the list.
    pub version: u32,
    /// The key with which the next page begins.
    pub next: Option<u8>,
}

/// The response to a request.
#[derive(Clone, Debug)]
pub enum Response<T> {
    /// The result.
    Done(T),
    /// The server waits until its cache is new enough.
    Waits,
    /// The version is no longer available.
    Expired,
}

impl Etcd {
    /// Makes it a storage with these revisions up to a version, which is its newest one.
    pub fn load(&mut self, revisions: &[Revision], version: u32) {
        self.log = revisions.iter().filter(|revision| revision.version <= version).copied().collect();
        (self.version, self.highest) = (version, version);
    }

    /// Returns the newest version.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns the version up to which the history was dropped.
    pub fn compacted(&self) -> u32 {
        self.compacted
    }

    /// Returns the lowest version that a backup can have.
    pub fn floor(&self) -> u32 {
        self.floor.max(1)
    }

    /// Returns the state of an object at a version.
    pub fn state(&self, key: u8, at: u32) -> State {
        let mut revisions = self.log.iter().rev().skip_while(|revision| revision.version > at);
        let last = revisions.find(|revision| revision.key == key);
        last.filter(|revision| !revision.deleted).map_or(State::default(), |revision| revision.state)
    }

    /// Writes an object: creates it if it does not exist.
    pub fn put(&mut self, key: u8, content: u8) -> Revision {
        let before = self.state(key, self.version);
        let uid = if before.exists() {
            before.uid
        } else {
            self.next_uid += 1;
            self.next_uid
        };
        self.append(key, State { version: 0, uid, content }, false, before)
    }

    /// Deletes an object, if it exists.
    pub fn delete(&mut self, key: u8) -> Option<Revision> {
        let before = self.state(key, self.version);
        before.exists().then(|| self.append(key, before, true, before))
    }

    fn append(&mut self, key: u8, state: State, deleted: bool, before: State) -> Revision {
        self.version += 1;
        self.highest = self.highest.max(self.version);
        let state = State { version: self.version, ..state };
        let revision = Revision { version: self.version, key, state, deleted, before };
        self.log.push(revision);
        revision
    }

    /// Drops the history up to a version.
    pub fn compact(&mut self, version: u32) {
        self.compacted = self.compacted.max(version.min(self.version));
    }

    /// Sets the state back to an earlier version. With `bump`, versions continue above all earlier ones.
    pub fn restore(&mut self, to: u32, bump: bool) {
        self.log.retain(|revision| revision.version <= to);
        self.version = to;
        self.compacted = to;
        if bump {
            self.version = self.highest + 100;
            self.highest = self.version;
            self.compacted = self.version;
            self.floor = self.version;
        }
    }

    /// Returns the first event after a version, up to another one.
    fn after(&self, version: u32, upto: u32) -> Option<&Revision> {
        let at = self.log.partition_point(|revision| revision.version <= version);
        self.log.get(at).filter(|revision| revision.version <= upto)
    }
}

impl Server {
    /// Makes an empty control plane.
    pub fn new(instances: usize, selected: bool, watch_cache: bool) -> Self {
        Self {
            etcd: Etcd { version: 1, highest: 1, ..Etcd::default() },
            instances: vec![Instance { at: 1, window: 1 }; instances],
            selected,
            watch_cache,
            refuses_future: false,
        }
    }

    /// Passes the next event of the storage to a watch cache. Returns whether there was one.
    pub fn advance(&mut self, instance: u8) -> bool {
        let newest = self.etcd.version;
        let instance = &mut self.instances[usize::from(instance)];
        let next = self.etcd.after(instance.at, newest).map_or(newest, |revision| revision.version);
        std::mem::replace(&mut instance.at, next) != next
    }

    /// Restarts a server: its watch cache begins with the newest state, and without events.
    pub fn restart(&mut self, instance: u8) {
        let version = self.etcd.version;
        self.instances[usize::from(instance)] = Instance { at: version, window: version };
    }

    /// Drops the events of a watch cache.
    pub fn evict(&mut self, instance: u8) {
        let instance = &mut self.instances[usize::from(instance)];
        instance.window = instance.at;
    }

    /// Sets the storage back, and restarts all servers.
    pub fn restore(&mut self, to: u32, bump: bool) {
        self.etcd.restore(to, bump);
        for instance in 0..self.instances.len() {
            self.restart(u8::try_from(instance).unwrap_or_default());
        }
    }

    /// Returns whether this state is part of the collection.
    fn shows(&self, state: State) -> bool {
        state.exists() && (!self.selected || state.content & SELECTED != 0)
    }

    /// Returns the objects of the collection at a version, in the order of their keys.
    fn objects(&self, at: u32, from: u8) -> impl Iterator<Item = (u8, State)> {
        let objects = (from..KEYS).map(move |key| (key, self.etcd.state(key, at)));
        objects.filter(|(_, state)| self.shows(*state))
    }

    fn cache(&self, instance: u8) -> Instance {
        if self.watch_cache {
            self.instances[usize::from(instance)]
        } else {
            Instance { at: self.etcd.version, window: self.etcd.compacted }
        }
    }

    /// Lists a page.
    pub fn list(&self, instance: u8, options: &ListOptions) -> Response<Listed> {
        if let Some((version, from)) = options.continue_.split_once('/') {
            let (version, from) = (number(version), number(from));
            if version < self.etcd.compacted {
                return Response::Expired;
            }
            let from = u8::try_from(from).unwrap_or(KEYS);
            return Response::Done(self.page(version, from, options.limit));
        }
        let requested = &*options.resource_version;
        let cache = self.cache(instance);
        if requested.is_empty() || !self.watch_cache || (options.limit > 0 && requested != "0") {
            if number(requested) > self.etcd.version {
                return Response::Waits;
            }
            return Response::Done(self.page(self.etcd.version, 0, options.limit));
        }
        if number(requested) > cache.at {
            return Response::Waits;
        }
        Response::Done(self.page(cache.at, 0, 0))
    }

    fn page(&self, version: u32, from: u8, limit: i64) -> Listed {
        let mut objects: Vec<_> = self.objects(version, from).collect();
        let limit = usize::try_from(limit).unwrap_or_default();
        let next = objects.get(limit).filter(|_| limit > 0).map(|(key, _)| *key);
        if next.is_some() {
            objects.truncate(limit);
        }
        Listed { objects, version, next }
    }

    /// Opens a watch.
    pub fn watch(&self, instance: u8, options: &ListOptions) -> Response<Watcher> {
        let requested = number(&options.resource_version);
        let cache = self.cache(instance);
        let newest = options.resource_version.is_empty();
        if options.send_initial_events == Some(true) {
            let required = if newest { self.etcd.version } else { requested };
            if cache.at < required {
                return Response::Waits;
            }
        } else if requested > 0 {
            if requested < cache.window || (requested > cache.at && self.refuses_future) {
                return Response::Expired;
            }
            return Response::Done(Watcher {
                instance,
                next: requested,
                initial: Vec::new(),
                owes_bookmark: false,
                hangs: false,
            });
        }
        let mut initial: Vec<_> = self.objects(cache.at, 0).collect();
        initial.reverse();
        let owes_bookmark = options.send_initial_events == Some(true);
        Response::Done(Watcher { instance, next: cache.at, initial, owes_bookmark, hangs: false })
    }

    /// Returns the next event of a watch, if there is one, and removes it.
    pub fn next_event(&self, watcher: &mut Watcher) -> Option<Sent> {
        if watcher.hangs {
            return None;
        }
        if let Some((key, state)) = watcher.initial.pop() {
            return Some(Sent { event: EventType::Added, key, state });
        }
        let upto = self.cache(watcher.instance).at;
        loop {
            let revision = self.etcd.after(watcher.next, upto)?;
            watcher.next = revision.version;
            let now = if revision.deleted { State::default() } else { revision.state };
            let event = match (self.shows(revision.before), self.shows(now)) {
                (false, false) => continue,
                (false, true) => EventType::Added,
                (true, true) => EventType::Modified,
                (true, false) => EventType::Deleted,
            };
            let state = match event {
                // The last state that the watch showed, at the version of its end.
                EventType::Deleted => State { version: revision.version, ..revision.before },
                _ => revision.state,
            };
            return Some(Sent { event, key: revision.key, state });
        }
    }

    /// Returns whether the watch has an event to send.
    pub fn has_event(&self, watcher: &Watcher) -> bool {
        !watcher.hangs
            && (!watcher.initial.is_empty()
                || self.etcd.after(watcher.next, self.cache(watcher.instance).at).is_some())
    }

    /// Returns the version of a bookmark that the server may send now: everything up to it was sent.
    pub fn bookmark(&self, watcher: &Watcher) -> Option<u32> {
        let at = self.cache(watcher.instance).at;
        let sent_all = watcher.initial.is_empty() && self.etcd.after(watcher.next, at).is_none();
        (!watcher.hangs && sent_all && at >= watcher.next).then_some(at)
    }
}
