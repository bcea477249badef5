//! [`Kept`]: what a recording on request keeps until somebody asks: the objects of the watched collections, and the responses to
//! requests outside of runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use super::format::{Target, What};
use super::hide::Hider;
use super::writer::hidden;

type Key = (String, String);
type Objects = BTreeMap<Key, Arc<str>>;

/// The most bytes of responses to requests outside of runs. Those that come first stay: they are of the start of the program.
const MOST_EXCHANGED: usize = 4 << 20;
/// The bytes of an entry of a map, about.
const ENTRY: usize = 96;

#[derive(Default)]
pub(super) struct Kept {
    most: usize,
    bytes: usize,
    /// Whether there was more than fits. Then nothing is kept any more.
    is_over: bool,
    collections: BTreeMap<String, Collection>,
    exchanges: BTreeMap<(String, String), Exchange>,
    exchanged: usize,
}

/// A collection as it has passed to the caches. They have it a moment later.
struct Collection {
    target: Target,
    /// Set with the first list.
    version: Option<u64>,
    objects: Objects,
    /// A list that no watch has continued: that of an informer in this moment, or that of somebody who does not watch.
    pending: Option<Pending>,
}

struct Pending {
    version: String,
    objects: Objects,
    is_complete: bool,
    /// The recording that has it.
    recorded: Option<u64>,
}

/// A collection at one moment.
pub(super) struct Copied {
    pub(super) of: String,
    pub(super) target: Target,
    pub(super) version: u64,
    pub(super) objects: Vec<Arc<str>>,
}

impl Copied {
    /// The line of the whole list.
    pub(super) fn list(&self, hider: &Hider) -> What {
        let items = self.objects.iter().map(|text| hidden(hider, &self.target, text)).collect();
        What::List { of: self.of.clone(), version: self.version.to_string(), items, more: false }
    }
}

/// A request outside of runs, and its response.
#[derive(Clone)]
pub(super) struct Exchange {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) content: String,
    pub(super) body: Bytes,
    pub(super) status: u16,
    pub(super) response: Bytes,
}

fn bytes_of(objects: &Objects) -> usize {
    objects.values().map(|text| text.len() + ENTRY).sum()
}

impl Kept {
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// A page of a list. `recorded` is the recording that has it.
    pub(super) fn page(
        &mut self,
        target: &Target,
        of: &str,
        version: &str,
        objects: Objects,
        more: bool,
        recorded: Option<u64>,
    ) {
        if self.is_over {
            return;
        }
        let collection = self.collections.entry(of.to_owned()).or_insert_with(|| Collection {
            target: Target { query: Vec::new(), ..target.clone() },
            version: None,
            objects: Objects::new(),
            pending: None,
        });
        self.bytes += bytes_of(&objects);
        let continues = !target.parameter("continue").is_empty();
        if let Some(pending) = collection.pending.as_mut().filter(|pending| continues && !pending.is_complete)
        {
            pending.objects.extend(objects);
            pending.is_complete = !more;
            // A recording that began between two pages does not have the first ones.
            pending.recorded = pending.recorded.filter(|number| Some(*number) == recorded);
        } else {
            let pending = Pending { version: version.to_owned(), objects, is_complete: !more, recorded };
            if let Some(old) = collection.pending.replace(pending) {
                self.bytes = self.bytes.saturating_sub(bytes_of(&old.objects));
            }
        }
        self.check();
    }

    /// A watch from this version begins. If it follows a list, this is the collection from now on. Returns it if the current
    /// recording does not have it.
    pub(super) fn commit(&mut self, of: &str, version: &str, current: Option<u64>) -> Option<Copied> {
        let collection = self.collections.get_mut(of)?;
        let pending =
            collection.pending.take_if(|pending| pending.is_complete && pending.version == version)?;
        let version = pending.version.parse().unwrap_or(0);
        if collection.version.is_some_and(|known| known > version) {
            // Another informer of this collection has more.
            self.bytes = self.bytes.saturating_sub(bytes_of(&pending.objects));
            return None;
        }
        self.bytes = self.bytes.saturating_sub(bytes_of(&collection.objects));
        (collection.objects, collection.version) = (pending.objects, Some(version));
        (current.is_some() && pending.recorded != current).then(|| collection.copied(of)).flatten()
    }

    /// An event. Without a text the object is gone.
    pub(super) fn event(&mut self, of: &str, key: Key, version: u64, text: Option<Arc<str>>) {
        let Some(collection) = self.collections.get_mut(of) else { return };
        // It came on two watches.
        if collection.version.is_none_or(|known| version <= known) {
            return;
        }
        collection.version = Some(version);
        self.bytes += text.as_ref().map_or(0, |text| text.len() + ENTRY);
        let old = match text {
            Some(text) => collection.objects.insert(key, text),
            None => collection.objects.remove(&key),
        };
        self.bytes = self.bytes.saturating_sub(old.map_or(0, |old| old.len() + ENTRY));
        self.check();
    }

    /// A request outside of runs. The last response to the same request counts.
    pub(super) fn exchanged(&mut self, exchange: Exchange) {
        let size = exchange.body.len() + exchange.response.len() + ENTRY;
        let key = (exchange.method.clone(), exchange.path.clone());
        let old = self.exchanges.get(&key).map_or(0, |old| old.body.len() + old.response.len() + ENTRY);
        if self.exchanged - old + size <= MOST_EXCHANGED {
            self.exchanged = self.exchanged - old + size;
            self.exchanges.insert(key, exchange);
        }
    }

    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.values().cloned().collect()
    }

    /// The collections that have a list. `None` if they need more memory than they may.
    pub(super) fn copied(&self, is_wanted: impl Fn(&Target) -> bool) -> Option<Vec<Copied>> {
        let wanted = self.collections.iter().filter(|(_, collection)| is_wanted(&collection.target));
        (!self.is_over).then(|| wanted.filter_map(|(of, collection)| collection.copied(of)).collect())
    }

    fn check(&mut self) {
        if self.bytes > self.most {
            self.is_over = true;
            self.collections.clear();
        }
    }
}

impl Collection {
    fn copied(&self, of: &str) -> Option<Copied> {
        let objects = self.objects.values().cloned().collect();
        Some(Copied { of: of.to_owned(), target: self.target.clone(), version: self.version?, objects })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF: &str = "pods";

    fn target(query: &str) -> Target {
        Target::parse(&format!("/api/v1/pods?{query}"))
    }

    fn objects(names: &[&str]) -> Objects {
        names.iter().map(|name| ((String::new(), (*name).to_owned()), Arc::from(*name))).collect()
    }

    fn names(kept: &Kept) -> Vec<String> {
        let copied = kept.copied(|_| true).unwrap();
        copied.iter().flat_map(|copied| copied.objects.iter().map(ToString::to_string)).collect()
    }

    #[test]
    fn a_list_counts_when_a_watch_follows_it() {
        let mut kept = Kept::new(1_000);
        kept.page(&target(""), OF, "5", objects(&["a"]), true, None);
        kept.page(&target("continue=x"), OF, "5", objects(&["b"]), false, None);
        kept.event(OF, (String::new(), "c".to_owned()), 6, Some("c".into()));
        assert!(kept.copied(|_| true).unwrap().is_empty());
        assert!(kept.commit(OF, "4", None).is_none() && kept.copied(|_| true).unwrap().is_empty());
        assert!(kept.commit(OF, "5", None).is_none());
        assert_eq!(names(&kept), ["a", "b"]);
        // Somebody else lists.
        kept.page(&target(""), OF, "9", objects(&["d"]), false, None);
        kept.event(OF, (String::new(), "a".to_owned()), 8, None);
        kept.event(OF, (String::new(), "b".to_owned()), 8, None);
        assert_eq!(names(&kept), ["b"], "an event that came twice counts once");
        assert_eq!(kept.copied(|_| true).unwrap()[0].version, 8);
        assert_eq!(kept.bytes, 2 * (1 + ENTRY));
    }

    #[test]
    fn a_list_that_a_recording_does_not_have_is_returned() {
        let mut kept = Kept::new(1_000);
        kept.page(&target(""), OF, "5", objects(&["a"]), false, None);
        assert_eq!(kept.commit(OF, "5", Some(1)).unwrap().objects.len(), 1);
        kept.page(&target(""), OF, "6", objects(&["a"]), true, None);
        kept.page(&target("continue=x"), OF, "6", objects(&["b"]), false, Some(1));
        assert_eq!(kept.commit(OF, "6", Some(1)).unwrap().objects.len(), 2);
        kept.page(&target(""), OF, "7", objects(&["a"]), false, Some(1));
        assert!(kept.commit(OF, "7", Some(1)).is_none());
    }

    #[test]
    fn nothing_is_kept_beyond_the_limit() {
        let mut kept = Kept::new(1_000);
        kept.page(&target(""), OF, "5", objects(&["a", "b", "c", "d", "e"]), false, None);
        kept.commit(OF, "5", None);
        assert!(kept.copied(|_| true).is_some());
        for number in 0..10_u32 {
            kept.event(OF, (String::new(), number.to_string()), 6 + u64::from(number), Some("x".into()));
        }
        assert!(kept.copied(|_| true).is_none() && kept.collections.is_empty());
        let big = |path: &str, bytes: usize| Exchange {
            method: "GET".to_owned(),
            path: path.to_owned(),
            content: String::new(),
            body: Bytes::new(),
            status: 200,
            response: vec![b' '; bytes].into(),
        };
        kept.exchanged(big("/a", MOST_EXCHANGED / 2));
        kept.exchanged(big("/b", MOST_EXCHANGED / 2));
        kept.exchanged(big("/a", 10));
        kept.exchanged(big("/c", MOST_EXCHANGED / 2));
        assert_eq!(kept.exchanges().iter().map(|one| &*one.path).collect::<Vec<_>>(), ["/a", "/c"]);
    }
}
