//! The versions of one key.

/// What a key held from a revision on; `None` after a delete.
#[derive(Debug)]
struct Version<V> {
    revision: u64,
    value: Option<V>,
}

/// The versions of one key that the window still has, oldest first.
#[derive(Debug)]
pub(super) struct Chain<V> {
    versions: Vec<Version<V>>,
}

impl<V> Default for Chain<V> {
    fn default() -> Self {
        Self { versions: Vec::new() }
    }
}

impl<V> Chain<V> {
    /// The latest version, if it is not a delete.
    pub(super) fn latest(&self) -> Option<(u64, &V)> {
        self.versions.last().and_then(Version::live)
    }

    /// The version of a snapshot.
    pub(super) fn at(&self, revision: u64) -> Option<(u64, &V)> {
        let after = self.versions.partition_point(|version| version.revision <= revision);
        self.versions[..after].last().and_then(Version::live)
    }

    /// Adds a version; revisions only grow.
    pub(super) fn push(&mut self, revision: u64, value: Option<V>) {
        debug_assert!(self.versions.last().is_none_or(|last| last.revision < revision));
        self.versions.push(Version { revision, value });
    }

    /// Forgets what no snapshot from this revision on shows; true when nothing is left.
    pub(super) fn compact(&mut self, revision: u64) -> bool {
        let after = self.versions.partition_point(|version| version.revision <= revision);
        let shows = after > 0 && self.versions[after - 1].value.is_some();
        self.versions.drain(..after - usize::from(shows));
        self.versions.is_empty()
    }
}

impl<V> Version<V> {
    fn live(&self) -> Option<(u64, &V)> {
        self.value.as_ref().map(|value| (self.revision, value))
    }
}
