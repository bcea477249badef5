//! The versions of one key.

/// The value of a key since a revision; `None` after a delete.
#[derive(Clone, Debug)]
struct Version<V> {
    revision: u64,
    value: Option<V>,
}

/// The versions of one key in the window, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Chain<V> {
    versions: Vec<Version<V>>,
}

impl<V> Default for Chain<V> {
    fn default() -> Self {
        Self { versions: Vec::new() }
    }
}

impl<V> Chain<V> {
    /// The latest version; `None` after a delete.
    pub(super) fn latest(&self) -> Option<(u64, &V)> {
        self.versions.last().and_then(Version::live)
    }

    /// The version at a revision.
    pub(super) fn at(&self, revision: u64) -> Option<(u64, &V)> {
        let after = self.versions.partition_point(|version| version.revision <= revision);
        self.versions[..after].last().and_then(Version::live)
    }

    /// Adds a version. Revisions must increase.
    pub(super) fn push(&mut self, revision: u64, value: Option<V>) {
        debug_assert!(self.versions.last().is_none_or(|last| last.revision < revision));
        self.versions.push(Version { revision, value });
    }

    /// Removes the versions that no snapshot from this revision on needs. Returns true if none is left.
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
