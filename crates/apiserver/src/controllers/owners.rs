//! The graph of owners and dependents, and the work queue of the garbage collector.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use client_rs_machinery::{Object, Str};

use crate::object::Stored;
use crate::registry::{FOREGROUND, ORPHAN};
use crate::store::{Change, TableId};

/// The table and key of an object.
pub(super) type Place = (TableId, Str);

/// The graph of owners and dependents, updated with every write, and the queue of tasks.
#[derive(Clone, Debug)]
pub(super) struct Owners {
    live: HashMap<Str, Place>,
    dependents: HashMap<Str, BTreeSet<(usize, Str)>>,
    tables: Vec<TableId>,
    /// The pending tasks. Each is queued once, so there are never more tasks than objects.
    tasks: VecDeque<Task>,
    queued: HashSet<Task>,
    collects: bool,
}

/// A task of the garbage collector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    /// An object that has owners, or that waits for its dependents.
    Object(Place),
    /// A namespace that is being deleted.
    Namespace(Str),
}

impl Owners {
    /// Creates an empty graph. It queues no tasks unless `collects` is set, because nobody would process them.
    pub(super) fn new(collects: bool) -> Self {
        Self {
            live: HashMap::new(),
            dependents: HashMap::new(),
            tables: Vec::new(),
            tasks: VecDeque::new(),
            queued: HashSet::new(),
            collects,
        }
    }

    /// Records a write; true when it created work.
    pub(super) fn changed(&mut self, table: TableId, change: &Change<Arc<Stored>>) -> bool {
        let waiting = self.tasks.len();
        if let Some(previous) = &change.previous {
            for owner in previous.object.owner_references() {
                self.unlink(owner.uid, table, &change.key);
            }
        }
        let object = &change.value.object;
        let place = (table, change.key.clone());
        if change.deleted {
            self.live.remove(object.uid());
            for dependent in self.dependents(object.uid()) {
                self.add(Task::Object(dependent));
            }
            // Its owner may wait for it in a foreground deletion, and its namespace for its removal.
            for owner in object.owner_references() {
                if let Some(owner) = self.live.get(owner.uid).cloned() {
                    self.add(Task::Object(owner));
                }
            }
            if !object.namespace().is_empty() {
                self.add(Task::Namespace(object.namespace().into()));
            }
            return self.tasks.len() > waiting;
        }
        self.live.insert(object.uid().into(), place.clone());
        let mut owned = false;
        for owner in object.owner_references() {
            owned = true;
            let at = self.index(table);
            self.dependents.entry(owner.uid.into()).or_default().insert((at, change.key.clone()));
        }
        let held = object.is_being_deleted()
            && object.finalizers().any(|finalizer| [FOREGROUND, ORPHAN].contains(&finalizer));
        if owned || held {
            self.add(Task::Object(place));
        }
        if object.is_being_deleted() && object.kind() == "Namespace" {
            self.add(Task::Namespace(object.name().into()));
        }
        self.tasks.len() > waiting
    }

    /// The next task.
    pub(super) fn next(&mut self) -> Option<Task> {
        let next = self.tasks.pop_front()?;
        self.queued.remove(&next);
        Some(next)
    }

    fn add(&mut self, what: Task) {
        if self.collects && self.queued.insert(what.clone()) {
            self.tasks.push_back(what);
        }
    }

    /// The place of the object with this UID; `None` if there is no such object.
    pub(super) fn is_live(&self, uid: &str) -> Option<&Place> {
        self.live.get(uid)
    }

    /// The objects that name this UID as an owner.
    pub(super) fn dependents(&self, uid: &str) -> Vec<Place> {
        let all = self.dependents.get(uid).into_iter().flatten();
        all.map(|(table, key)| (self.tables[*table], key.clone())).collect()
    }

    fn unlink(&mut self, owner: &str, table: TableId, key: &Str) {
        let at = self.index(table);
        if let Some(all) = self.dependents.get_mut(owner) {
            all.remove(&(at, key.clone()));
            if all.is_empty() {
                self.dependents.remove(owner);
            }
        }
    }

    fn index(&mut self, table: TableId) -> usize {
        self.tables.iter().position(|known| *known == table).unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        })
    }
}
