//! The lines of a recording.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The first line of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The version of the format: [`FORMAT`].
    pub recording: u32,
    /// When it began, in microseconds since 1970.
    pub began: u64,
    /// The salt of the hashes of hidden values.
    pub salt: String,
    /// The fields whose values are hidden, in addition to those of Secrets and tokens: a resource, `:`, and a path in its objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// Whether it has values. Without them objects have keys and versions alone, and requests and responses have no bodies; such a
    /// recording can't be replayed.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub values: bool,
}

fn yes() -> bool {
    true
}

impl Header {
    pub(crate) fn new(began: u64, salt: String, hidden: Vec<String>) -> Self {
        Self { recording: FORMAT, began, salt, hidden, values: true }
    }
}

/// Another line: something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::exhaustive_structs, reason = "a line of version 1 has these fields")]
pub struct Line {
    /// The time, in microseconds since the recording began.
    pub at: u64,
    /// The entry.
    #[serde(flatten)]
    pub what: What,
}

/// The versions that caches had, by their collections. A line has those that have changed since the line before that had some.
pub type Versions = BTreeMap<String, String>;

/// An entry of a line: something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum What {
    /// An informer got a list.
    List {
        /// The collection; see [`collection`].
        of: String,
        /// The version of the list.
        version: String,
        /// The objects.
        items: Vec<Value>,
        /// Whether it is one page, and the next one follows.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        more: bool,
    },
    /// An informer got an event.
    Event {
        /// The collection.
        of: String,
        /// `ADDED`, `MODIFIED` or `DELETED`.
        #[serde(rename = "type")]
        kind: String,
        /// The object.
        object: Value,
    },
    /// A run began.
    Run {
        /// The number of the run.
        run: u64,
        /// The name of the controller.
        controller: String,
        /// The namespace of its key.
        namespace: String,
        /// The name of its key.
        name: String,
        /// The failures before it.
        failures: u32,
        /// The versions of the caches.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        versions: Versions,
        /// The versions that the informers of a graph had with the newest changes in its collections, if the controller reads derived
        /// collections. All of them, in each line.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        derived: Versions,
    },
    /// A run has read caches through its client, or derived collections in a sink.
    Read {
        /// The number of the run.
        run: u64,
        /// The versions of the caches.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        versions: Versions,
        /// The versions that the informers of a graph had, as in `Run`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        derived: Versions,
    },
    /// A request is sent.
    Request {
        /// The number of the request.
        request: u64,
        /// The run that sends it; absent for requests of the program outside of runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<u64>,
        /// The method.
        method: String,
        /// The path with its query.
        path: String,
        /// The media type of the body; empty if there is none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        content: String,
        /// The body.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        body: String,
        /// The versions of the caches.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        versions: Versions,
    },
    /// Its response arrived.
    Response {
        /// The number of the request.
        request: u64,
        /// The status.
        status: u16,
        /// The header `Retry-After`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        retry_after: String,
        /// The body.
        body: String,
        /// The versions of the caches.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        versions: Versions,
    },
    /// It has no response: the connection failed.
    Lost {
        /// The number of the request.
        request: u64,
        /// The versions of the caches.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        versions: Versions,
    },
    /// A run ended.
    End {
        /// The number of the run.
        run: u64,
        /// Its outcome, as in metrics.
        outcome: String,
    },
    /// The limit of the file's size was reached. Nothing follows.
    Full {},
    /// Lines are missing here, and nothing follows.
    Cut {
        /// The reason.
        why: String,
    },
}

impl What {
    /// The versions of the caches in this line.
    pub fn versions(&self) -> Option<&Versions> {
        match self {
            Self::Run { versions, .. }
            | Self::Read { versions, .. }
            | Self::Request { versions, .. }
            | Self::Response { versions, .. }
            | Self::Lost { versions, .. } => Some(versions),
            _ => None,
        }
    }

    pub(crate) fn versions_mut(&mut self) -> Option<&mut Versions> {
        match self {
            Self::Run { versions, .. }
            | Self::Read { versions, .. }
            | Self::Request { versions, .. }
            | Self::Response { versions, .. }
            | Self::Lost { versions, .. } => Some(versions),
            _ => None,
        }
    }
}

/// The name of a collection in a recording: `pods`, `pods/shop`, `sites.example.com/shop?app=web`, with the field selector after
/// a `;`.
pub fn collection(resource: &str, namespace: Option<&str>, labels: &str, fields: &str) -> String {
    let mut name = resource.to_owned();
    if let Some(namespace) = namespace.filter(|namespace| !namespace.is_empty()) {
        name.push('/');
        name.push_str(namespace);
    }
    if !labels.is_empty() || !fields.is_empty() {
        name.push('?');
        name.push_str(labels);
    }
    if !fields.is_empty() {
        name.push(';');
        name.push_str(fields);
    }
    name
}

/// A request, as far as a recording has to understand it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The resource: `pods`, `deployments.apps`; empty for other paths.
    pub resource: String,
    /// The subresource; empty if there is none.
    pub subresource: String,
    /// The namespace; empty if there is none.
    pub namespace: String,
    /// The name of the object; empty for a collection.
    pub name: String,
    /// The parameters of the query, decoded.
    pub query: Vec<(String, String)>,
}

impl Target {
    /// Reads a path with its query.
    ///
    /// ```
    /// use client_rs_controller::recording::Target;
    ///
    /// let target = Target::parse("/apis/apps/v1/namespaces/shop/deployments?watch=true&labelSelector=app%3Dweb");
    /// assert_eq!(target.collection(), "deployments.apps/shop?app=web");
    /// assert!(target.is_collection() && target.is_watch());
    /// ```
    pub fn parse(path: &str) -> Self {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let mut parts = path.trim_matches('/').split('/');
        let group = match parts.next() {
            Some("api") => parts.next().map(|_| ""),
            Some("apis") => parts.next().and_then(|group| parts.next().map(|_| group)),
            _ => None,
        };
        let rest: Vec<&str> = if group.is_some() { parts.collect() } else { Vec::new() };
        let (namespace, rest) = match rest.as_slice() {
            ["namespaces", _, "status" | "finalize"] => ("", rest.as_slice()),
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
            rest => ("", rest),
        };
        let text = |place: usize| rest.get(place).copied().unwrap_or_default().to_owned();
        let resource = match (text(0), group.unwrap_or_default()) {
            (plural, group) if plural.is_empty() || group.is_empty() => plural,
            (plural, group) => format!("{plural}.{group}"),
        };
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        };
        Self {
            resource,
            subresource: text(2),
            namespace: namespace.to_owned(),
            name: text(1),
            query: pairs.map(pair).collect(),
        }
    }

    /// A parameter of the query; empty if it is absent.
    pub fn parameter(&self, name: &str) -> &str {
        self.query.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The name of the collection.
    pub fn collection(&self) -> String {
        let (labels, fields) = (self.parameter("labelSelector"), self.parameter("fieldSelector"));
        collection(&self.resource, Some(&self.namespace), labels, fields)
    }

    /// Whether it names a collection.
    pub fn is_collection(&self) -> bool {
        !self.resource.is_empty() && self.name.is_empty()
    }

    /// Whether it is a watch.
    pub fn is_watch(&self) -> bool {
        matches!(self.parameter("watch"), "true" | "1")
    }

    /// Whether it is about Leases or Events. They are not recorded: when they are written depends on timers, not on runs.
    pub fn is_bookkeeping(&self) -> bool {
        matches!(
            self.resource.as_str(),
            "leases.coordination.k8s.io"
                | "leasecandidates.coordination.k8s.io"
                | "events"
                | "events.events.k8s.io"
        )
    }

    /// Whether the response is a stream of another protocol, or a text without end.
    pub fn is_stream(&self) -> bool {
        matches!(self.subresource.as_str(), "log" | "exec" | "attach" | "portforward" | "proxy")
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = |bytes: &[u8]| u8::from_str_radix(std::str::from_utf8(bytes).ok()?, 16).ok();
        match (first, after.get(..2).and_then(hex)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            (other, _) => bytes.push(*other),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let lines = [
            r#"{"at":1,"list":{"of":"pods/shop","version":"7","items":[{"a":1}]}}"#,
            r#"{"at":2,"event":{"of":"pods/shop","type":"ADDED","object":{}}}"#,
            r#"{"at":3,"run":{"run":1,"controller":"c","namespace":"shop","name":"a","failures":0,"versions":{"pods/shop":"7"}}}"#,
            r#"{"at":3,"read":{"run":1}}"#,
            r#"{"at":3,"read":{"run":1,"derived":{"pods/shop":"6"}}}"#,
            r#"{"at":4,"request":{"request":9,"run":1,"method":"GET","path":"/version"}}"#,
            r#"{"at":5,"response":{"request":9,"status":200,"body":"{}"}}"#,
            r#"{"at":6,"lost":{"request":9}}"#,
            r#"{"at":7,"end":{"run":1,"outcome":"success"}}"#,
            r#"{"at":8,"full":{}}"#,
            r#"{"at":8,"cut":{"why":"the reader was slow"}}"#,
        ];
        for text in lines {
            let line: Line = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&line).unwrap(), text);
        }
    }

    #[test]
    fn a_header_without_values_says_so() {
        let with = r#"{"recording":1,"began":7,"salt":"s"}"#;
        let without = r#"{"recording":1,"began":7,"salt":"s","values":false}"#;
        for (text, values) in [(with, true), (without, false)] {
            let header: Header = serde_json::from_str(text).unwrap();
            assert_eq!(header.values, values);
            assert_eq!(serde_json::to_string(&header).unwrap(), text);
        }
    }

    #[test]
    fn paths_name_what_a_request_is_about() {
        for (path, resource, collection, name, subresource) in [
            ("/api/v1/namespaces/a/pods/b/status", "pods", "pods/a", "b", "status"),
            ("/api/v1/namespaces/a", "namespaces", "namespaces", "a", ""),
            (
                "/apis/x.y/v1/sites?labelSelector=a%3Db,c&fieldSelector=d%21%3D+e",
                "sites.x.y",
                "sites.x.y?a=b,c;d!= e",
                "",
                "",
            ),
            ("/apis/x.y/v1", "", "", "", ""),
            ("/version", "", "", "", ""),
        ] {
            let target = Target::parse(path);
            let found = (&*target.resource, target.collection(), &*target.name, &*target.subresource);
            assert_eq!(found, (resource, collection.to_owned(), name, subresource), "{path}");
        }
        // Odd escapes stay as they are.
        assert_eq!(Target::parse("/x?a=%&b=%4&c=%zz").parameter("c"), "%zz");
    }
}
