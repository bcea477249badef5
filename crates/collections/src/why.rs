//! [`Why`]: the inputs that a value came from.

use std::fmt;

use crate::core::node::Nodes;
use crate::{Graph, Key, LiveSet};

/// An entry, and the entries that it was computed from. It prints as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Why {
    /// The name of the collection.
    pub collection: String,
    /// The key of the entry, or the read that found nothing.
    pub subject: String,
    /// Whether the entry exists. A function may depend on an absent one.
    pub exists: bool,
    /// The entries that it was computed from. Empty for an input.
    pub inputs: Vec<Why>,
    /// The message of the panic of its function. The entry is then out of date.
    pub panicked: Option<String>,
    /// Whether inputs were left out because there are too many.
    pub truncated: bool,
}

/// The most entries of one answer.
const LIMIT: usize = 1000;

impl Graph {
    /// Explains an entry: the entries that it came from, up to the inputs. `None` if the key is
    /// absent. An answer has at most 1,000 entries.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// let graph = Graph::new();
    /// let teams = graph.constant("teams", [("shop", "blue")]);
    /// let pods = graph.constant("pods", [("web", "shop")]);
    /// let owners = graph.map("owners", &pods, move |_, namespace, look| look.get(&teams, namespace).cloned());
    /// let why = graph.why(&owners, &"web").unwrap();
    /// assert_eq!(why.to_string(), "owners \"web\"\n  pods \"web\"\n  teams \"shop\"\n");
    /// ```
    pub fn why<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>, key: &K) -> Option<Why> {
        self.own(set);
        let engine = self.lock();
        let source = set.handle().slot();
        let table = &engine.nodes.store::<K, V>(source).table;
        let slot = table.find(key).filter(|slot| table.value(*slot).is_some())?;
        let mut left = LIMIT;
        Some(explain(&engine.nodes, source, slot, &mut left))
    }
}

fn explain(nodes: &Nodes, source: u32, slot: u32, left: &mut usize) -> Why {
    let Some(node) = nodes.node(source) else { return absent(String::new(), String::new()) };
    let mut why = Why {
        collection: node.store().name().to_owned(),
        subject: node.store().key_text(slot),
        exists: true,
        panicked: node.failure(nodes, slot),
        inputs: Vec::new(),
        truncated: false,
    };
    for origin in node.origins(nodes, slot) {
        let Some(read) = nodes.node(origin.source) else { continue };
        let (text, slots) = read.store().describe(origin.place, origin.token);
        if slots.is_empty() {
            why.inputs.push(absent(read.store().name().to_owned(), text));
        }
        for slot in slots {
            if *left == 0 {
                why.truncated = true;
                return why;
            }
            *left -= 1;
            let input = explain(nodes, origin.source, slot, left);
            if !why.inputs.contains(&input) {
                why.inputs.push(input);
            }
        }
    }
    why
}

fn absent(collection: String, subject: String) -> Why {
    Why { collection, subject, exists: false, panicked: None, inputs: Vec::new(), truncated: false }
}

impl Why {
    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        write!(f, "{:indent$}{} {}", "", self.collection, self.subject, indent = 2 * depth)?;
        match (&self.panicked, self.exists) {
            (Some(message), _) => writeln!(f, " (out of date: its function panicked: {message})")?,
            (None, true) => writeln!(f)?,
            (None, false) => writeln!(f, " (not found)")?,
        }
        for input in &self.inputs {
            input.write(f, depth + 1)?;
        }
        if self.truncated {
            writeln!(f, "{:indent$}…", "", indent = 2 * (depth + 1))?;
        }
        Ok(())
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
