//! A recording as a replay reads it: its lines, and the changes of each collection.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use client_rs_controller::recording::{FORMAT, Header, Line, Versions, What};
use serde_json::Value;

/// The end of the name of a collection if only metadata was requested.
pub(super) const METADATA: &str = "#metadata";

/// A recording.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) header: Header,
    pub(super) lines: Vec<Line>,
    pub(super) changes: BTreeMap<String, Vec<Change>>,
    /// The collections whose versions are known at steps of runs.
    pub(super) tracked: BTreeSet<String>,
    /// The lines with the state of derived collections, and their controllers.
    pub(super) derived: Vec<(usize, String)>,
}

/// A change of a collection.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The line that has it.
    pub(super) line: usize,
    pub(super) version: u64,
    pub(super) what: ChangeKind,
}

#[derive(Clone, Debug)]
pub(super) enum ChangeKind {
    List(Vec<Value>),
    Event { kind: String, object: Value },
}

impl Log {
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let file = std::fs::File::open(path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        let mut texts = BufReader::new(file).lines();
        let wrong = |number: usize, error: &dyn std::fmt::Display| {
            io::Error::other(format!("{}, line {number}: {error}", path.display()))
        };
        let first = texts.next().transpose()?.unwrap_or_default();
        let header: Header = serde_json::from_str(&first).map_err(|error| wrong(1, &error))?;
        if header.recording != FORMAT {
            let text = format!("it has the format {}, and this version reads {FORMAT}", header.recording);
            return Err(wrong(1, &text));
        }
        if !header.values {
            let text = "it has keys and versions alone, and a replay needs values: use `krs record --values`";
            return Err(wrong(1, &text));
        }
        let mut lines = Vec::new();
        for (number, text) in texts.enumerate() {
            match serde_json::from_str::<Line>(&text?) {
                Ok(line) => lines.push(line),
                // The program may have been killed in the middle of its last line.
                Err(error) if error.is_eof() => break,
                Err(error) => return Err(wrong(number + 2, &error)),
            }
        }
        Ok(Self::new(header, lines))
    }

    fn new(header: Header, mut lines: Vec<Line>) -> Self {
        let mut changes: BTreeMap<String, Vec<Change>> = BTreeMap::new();
        let mut pages: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let mut tracked = BTreeSet::new();
        let (mut derived, mut controllers) = (Vec::new(), BTreeMap::new());
        for (place, line) in lines.iter_mut().enumerate() {
            if let Some(versions) = line.what.versions() {
                let numeric = versions.iter().filter(|(_, version)| version.parse::<u64>().is_ok());
                tracked.extend(numeric.map(|(of, _)| of.clone()));
            }
            if let What::Run { run, controller, .. } = &line.what {
                controllers.insert(*run, controller.clone());
            }
            if let What::Run { run, derived: state, .. } | What::Read { run, derived: state, .. } = &line.what
                && let Some(controller) = controllers.get(run).filter(|_| !state.is_empty())
            {
                derived.push((place, controller.clone()));
                let numeric = state.iter().filter(|(_, version)| version.parse::<u64>().is_ok());
                tracked.extend(numeric.map(|(of, _)| of.clone()));
            }
            match &mut line.what {
                What::List { of, items, more: true, .. } => {
                    pages.entry(of.clone()).or_default().append(items);
                }
                What::List { of, version, items, .. } => {
                    let mut all = pages.remove(of).unwrap_or_default();
                    all.append(items);
                    let version = version.parse().unwrap_or(0);
                    let what = ChangeKind::List(all);
                    changes.entry(of.clone()).or_default().push(Change { line: place, version, what });
                }
                What::Event { of, kind, object } => {
                    let (version, what) = (
                        version_of(object),
                        ChangeKind::Event { kind: std::mem::take(kind), object: object.take() },
                    );
                    changes.entry(of.clone()).or_default().push(Change { line: place, version, what });
                }
                _ => {}
            }
        }
        Self { header, lines, changes, tracked, derived }
    }

    /// The state of derived collections in a line.
    pub(super) fn derived_at(&self, place: usize) -> Option<&Versions> {
        match &self.lines.get(place)?.what {
            What::Run { derived, .. } | What::Read { derived, .. } => Some(derived),
            _ => None,
        }
    }

    /// Whether the recording says which version the cache of a collection had in a run.
    pub(super) fn is_tracked(&self, of: &str) -> bool {
        self.tracked.contains(of.strip_suffix(METADATA).unwrap_or(of))
    }
}

/// The version of an object; zero if it is not a number.
pub(super) fn version_of(object: &Value) -> u64 {
    let text = object.get("metadata").and_then(|meta| meta.get("resourceVersion")?.as_str());
    text.and_then(|text| text.parse().ok()).unwrap_or(0)
}
