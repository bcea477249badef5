//! The objects of a storage as a file: a header, then one line of JSON per object.

use client_rs_machinery::{Json, Unstructured, json};

use crate::registry::{Dumped, Registry};

/// The version of the format.
const VERSION: i64 = 1;
const DEFINITIONS: (&str, &str) = ("apiextensions.k8s.io", "customresourcedefinitions");

/// A snapshot can't be restored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The data is not a snapshot, or is damaged.
    #[error("line {line} of the snapshot is malformed: {why}")]
    Malformed {
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        why: String,
    },
    /// The snapshot has a resource that this server does not serve.
    #[error(
        "line {line} of the snapshot has an object of {resource}, which is not served; see StorageOptions::also_serve"
    )]
    NotServed {
        /// The number of the line, from 1.
        line: usize,
        /// The resource, as `plural.group`.
        resource: String,
    },
    /// A key can't be used, or the operating system's random number generator failed.
    #[error("can't create the storage: {0}")]
    Storage(std::io::Error),
}

/// Writes the objects of a registry.
pub(super) fn write(registry: &Registry) -> Vec<u8> {
    let (revision, mut all) = registry.dump();
    // Definitions first: the reader serves their resources before it meets objects of them.
    all.sort_by_key(|dumped| (dumped.group.as_str(), dumped.plural.as_str()) != DEFINITIONS);
    let revision = i64::try_from(revision).unwrap_or(i64::MAX);
    let mut text = json!({"kind": "krs-snapshot", "version": VERSION, "revision": revision}).to_vec();
    text.push(b'\n');
    for Dumped { group, plural, objects } in &all {
        for stored in objects {
            let place = json!({"group": group.as_str(), "plural": plural.as_str()}).to_vec();
            // The object is appended as text, so that it is not copied.
            text.extend_from_slice(place.strip_suffix(b"}").unwrap_or(&place));
            text.extend_from_slice(b",\"object\":");
            text.extend_from_slice(&stored.object.to_json());
            text.extend_from_slice(b"}\n");
        }
    }
    text
}

/// Loads the objects of a snapshot into an empty registry. `serve` is called after the last definition.
pub(super) fn read(registry: &Registry, text: &[u8], mut serve: impl FnMut()) -> Result<(), RestoreError> {
    let mut lines = text.split(|byte| *byte == b'\n').zip(1_usize..).filter(|(line, _)| !line.is_empty());
    let malformed = |line: usize, why: &str| RestoreError::Malformed { line, why: why.to_owned() };
    let parsed = |text: &[u8], line: usize| {
        Json::parse(text).map_err(|error| RestoreError::Malformed { line, why: error.to_string() })
    };
    let (head, at) = lines.next().ok_or_else(|| malformed(1, "it is empty"))?;
    let head = parsed(head, at)?;
    if head["kind"].as_str() != Some("krs-snapshot") || head["version"].as_i64() != Some(VERSION) {
        return Err(malformed(at, "it is not a snapshot of this version of krs"));
    }
    let revision = head["revision"].as_i64().and_then(|revision| u64::try_from(revision).ok());
    let revision = revision.ok_or_else(|| malformed(at, "it has no revision"))?;
    let mut waiting = true;
    for (line, at) in lines {
        let mut entry = parsed(line, at)?;
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let (group, plural) = (text("group"), text("plural"));
        if waiting && (group.as_str(), plural.as_str()) != DEFINITIONS {
            waiting = false;
            serve();
        }
        let not_served = || RestoreError::NotServed { line: at, resource: format!("{plural}.{group}") };
        let served = registry.catalog().of_resource(&group, &plural).ok_or_else(not_served)?;
        let object = entry.as_map_mut().and_then(|entry| entry.remove("object")).unwrap_or_default();
        let object = Unstructured::try_from(object).map_err(|error| malformed(at, &error.to_string()))?;
        registry.load(&served, object).map_err(|why| malformed(at, why))?;
    }
    if waiting {
        serve();
    }
    registry.resume(revision);
    Ok(())
}
