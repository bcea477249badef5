//! A document that is being edited.

use std::collections::BTreeMap;

use crate::{Json, Str};

/// A part of a document: shared until a change leads into it, then opened level by level.
///
/// So an operation costs its path, not the document, however many there are.
#[derive(Debug)]
pub(super) enum Node {
    Whole(Json),
    List(Vec<Node>),
    Map(BTreeMap<Str, Node>),
}

impl Node {
    /// The part, with its own entries open to change.
    pub(super) fn open(&mut self) -> &mut Self {
        match self {
            Self::Whole(Json::List(list)) => {
                *self = Self::List(list.iter().cloned().map(Self::Whole).collect());
            }
            Self::Whole(Json::Map(map)) => {
                let entries = map.iter().map(|(key, value)| (key.clone(), Self::Whole(value.clone())));
                *self = Self::Map(entries.collect());
            }
            _ => {}
        }
        self
    }

    /// The part as a value; what was never opened is shared with it.
    pub(super) fn to_json(&self) -> Json {
        match self {
            Self::Whole(value) => value.clone(),
            Self::List(list) => Json::List(list.iter().map(Self::to_json).collect()),
            Self::Map(map) => {
                Json::Map(map.iter().map(|(key, node)| (key.clone(), node.to_json())).collect())
            }
        }
    }

    /// How deep it nests, as [`Json::depth`].
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::Whole(value) => value.depth(),
            Self::List(list) => 1 + list.iter().map(Self::depth).max().unwrap_or(0),
            Self::Map(map) => 1 + map.values().map(Self::depth).max().unwrap_or(0),
        }
    }
}
