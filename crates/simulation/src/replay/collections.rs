//! The collections of a replay: what a server would have at this point of the recording.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::log::{Change, ChangeKind, version_of};

/// A collection as far as the replay has come.
#[derive(Debug, Default)]
pub(super) struct Collection {
    objects: BTreeMap<(String, String), Value>,
    version: u64,
    is_listed: bool,
    /// All events so far, with their versions.
    events: Vec<(u64, Bytes)>,
    watches: Vec<mpsc::UnboundedSender<Bytes>>,
}

impl Collection {
    /// Whether it has a first list.
    pub(super) fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Makes it known as empty.
    pub(super) fn assume_empty(&mut self) {
        (self.is_listed, self.version) = (true, self.version.max(1));
    }

    pub(super) fn apply(&mut self, change: &Change) {
        match &change.what {
            ChangeKind::List(items) => {
                let items: BTreeMap<_, _> = items.iter().map(|item| (key(item), item)).collect();
                let mut news: Vec<(u64, &str, Value)> = Vec::new();
                for (key, object) in &self.objects {
                    if !items.contains_key(key) {
                        let mut gone = object.clone();
                        gone["metadata"]["resourceVersion"] = change.version.to_string().into();
                        news.push((change.version, "DELETED", gone));
                    }
                }
                for (key, item) in &items {
                    match self.objects.get(key) {
                        Some(known) if version_of(known) == version_of(item) => {}
                        Some(_) => news.push((version_of(item), "MODIFIED", (*item).clone())),
                        None => news.push((version_of(item), "ADDED", (*item).clone())),
                    }
                }
                news.sort_by_key(|(version, ..)| *version);
                self.objects = items.into_iter().map(|(key, item)| (key, item.clone())).collect();
                if self.is_listed {
                    for (version, kind, object) in news {
                        self.send(version.max(self.version + 1), kind, &object);
                    }
                    let version = change.version.to_string();
                    self.send(change.version, "BOOKMARK", &json!({"metadata": {"resourceVersion": version}}));
                }
                self.version = self.version.max(change.version);
                self.is_listed = true;
            }
            // It came on two watches, or before the list that has it.
            ChangeKind::Event { .. } if change.version <= self.version => {}
            ChangeKind::Event { kind, object } => {
                let key = key(object);
                if kind == "DELETED" {
                    self.objects.remove(&key);
                } else {
                    self.objects.insert(key, object.clone());
                }
                self.version = change.version;
                self.send(change.version, kind, object);
            }
        }
    }

    fn send(&mut self, version: u64, kind: &str, object: &Value) {
        let line = event(kind, object);
        self.watches.retain(|watch| watch.send(line.clone()).is_ok());
        if kind != "BOOKMARK" {
            self.events.push((version, line));
        }
    }

    /// The list at this point.
    pub(super) fn list(&self) -> Value {
        let items: Vec<&Value> = self.objects.values().collect();
        let field = |name: &str| items.first().and_then(|item| item.get(name)).and_then(Value::as_str);
        let kind = format!("{}List", field("kind").unwrap_or_default());
        json!({
            "kind": kind, "apiVersion": field("apiVersion").unwrap_or("v1"),
            "metadata": {"resourceVersion": self.version.to_string()}, "items": items,
        })
    }

    /// A watch from a version, or with the list first.
    pub(super) fn watch(&mut self, after: Option<u64>) -> mpsc::UnboundedReceiver<Bytes> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let backlog: Vec<Bytes> = if let Some(after) = after {
            let later = self.events.iter().filter(|(version, _)| *version > after);
            later.map(|(_, line)| line.clone()).collect()
        } else {
            let first = self.objects.values().map(|object| event("ADDED", object));
            let annotations = json!({"k8s.io/initial-events-end": "true"});
            let version = self.version.to_string();
            let end = json!({"metadata": {"resourceVersion": version, "annotations": annotations}});
            first.chain([event("BOOKMARK", &end)]).collect()
        };
        for line in backlog {
            // The receiver is ours.
            let _ = sender.send(line);
        }
        self.watches.push(sender);
        receiver
    }
}

fn event(kind: &str, object: &Value) -> Bytes {
    format!("{}\n", json!({"type": kind, "object": object})).into()
}

fn key(object: &Value) -> (String, String) {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
    (text("namespace"), text("name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, version: u64) -> Value {
        json!({"kind": "Pod", "metadata": {"name": name, "resourceVersion": version.to_string()}})
    }

    fn list(version: u64, items: Vec<Value>) -> Change {
        Change { line: 0, version, what: ChangeKind::List(items) }
    }

    fn change(kind: &str, object: Value) -> Change {
        let version = version_of(&object);
        Change { line: 0, version, what: ChangeKind::Event { kind: kind.to_owned(), object } }
    }

    fn received(watch: &mut mpsc::UnboundedReceiver<Bytes>) -> Vec<String> {
        let mut texts = Vec::new();
        while let Ok(line) = watch.try_recv() {
            let event: Value = serde_json::from_slice(&line).unwrap();
            let (kind, meta) = (event["type"].as_str().unwrap(), &event["object"]["metadata"]);
            let name = meta["name"].as_str().unwrap_or("-");
            texts.push(format!("{kind} {name} {}", meta["resourceVersion"].as_str().unwrap()));
        }
        texts
    }

    #[test]
    fn a_watch_has_the_events_after_its_version_and_those_that_follow() {
        let mut pods = Collection::default();
        assert!(!pods.is_listed());
        pods.apply(&list(5, vec![object("a", 3), object("b", 5)]));
        assert_eq!(pods.list()["metadata"]["resourceVersion"], "5");
        pods.apply(&change("MODIFIED", object("a", 6)));
        pods.apply(&change("MODIFIED", object("a", 6)));
        let mut watch = pods.watch(Some(5));
        pods.apply(&change("DELETED", object("b", 9)));
        assert_eq!(received(&mut watch), ["MODIFIED a 6", "DELETED b 9"]);
        assert_eq!(received(&mut pods.watch(Some(9))), Vec::<String>::new());
        assert_eq!(received(&mut pods.watch(None)), ["ADDED a 6", "BOOKMARK - 9"]);
    }

    #[test]
    fn another_list_becomes_the_events_between_both() {
        let mut pods = Collection::default();
        pods.apply(&list(5, vec![object("a", 3), object("b", 5), object("c", 4)]));
        let mut watch = pods.watch(Some(5));
        pods.apply(&list(12, vec![object("a", 11), object("c", 4), object("d", 9)]));
        assert_eq!(received(&mut watch), ["ADDED d 9", "MODIFIED a 11", "DELETED b 12", "BOOKMARK - 12"]);
        assert_eq!(pods.list()["items"].as_array().unwrap().len(), 3);
    }
}
