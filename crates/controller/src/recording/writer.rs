//! [`Writer`]: the file of a recording.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::format::{Header, Line, Target, What};
use super::hide::Hider;
use super::runs::{RunStart, Seen, Tape};
use super::tap::news;
use super::{RecordingOptions, RecordingSummary};
use crate::ReconcileOutcome;

/// Writes lines. The order of the lines is that of the calls.
pub(super) struct Writer {
    began: Instant,
    hider: Hider,
    requests: AtomicU64,
    runs: AtomicU64,
    state: Mutex<State>,
}

struct State {
    /// `None` when nothing is written any more.
    file: Option<BufWriter<File>>,
    left: u64,
    versions: BTreeMap<String, String>,
    summary: RecordingSummary,
    error: Option<io::Error>,
}

impl Writer {
    pub(super) fn create(path: &Path, options: RecordingOptions) -> io::Result<Self> {
        let is_field = |field: &String| {
            field.split_once(':').is_some_and(|(resource, path)| !resource.is_empty() && !path.is_empty())
        };
        if let Some(wrong) = options.hidden.iter().find(|field| !is_field(field)) {
            let text = format!("{wrong:?} is not a field: a resource, `:` and a path are needed");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let (start, now) = (Instant::now(), SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
        let began = u64::try_from(now.as_micros()).unwrap_or(u64::MAX);
        let random = || {
            use std::hash::{BuildHasher as _, RandomState};
            RandomState::new().hash_one(now)
        };
        let salt = format!("{:016x}{:016x}", random(), random());
        let header = Header::new(began, salt, options.hidden);
        let mut open = File::options();
        open.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
        let mut file = BufWriter::new(open.open(path)?);
        let text = serde_json::to_string(&header).map_err(io::Error::other)?;
        writeln!(file, "{text}")?;
        let left = options.max_bytes.saturating_sub(text.len() as u64);
        let (summary, versions) = (RecordingSummary::default(), BTreeMap::new());
        let state = State { file: Some(file), left, versions, summary, error: None };
        Ok(Self {
            began: start,
            hider: Hider::new(&header),
            requests: AtomicU64::new(0),
            runs: AtomicU64::new(0),
            state: Mutex::new(state),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn next_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn hide(&self, target: &Target, object: &mut Value) {
        self.hider.object(target, object);
    }

    /// Writes a line.
    pub(super) fn write(&self, what: impl FnOnce(&Hider) -> What) {
        if self.state().file.is_none() {
            return;
        }
        let mut what = what(&self.hider);
        let mut state = self.state();
        let State { file, left, versions, summary, error } = &mut *state;
        let Some(open) = file else { return };
        if let Some(new) = what.versions_mut() {
            news(versions, new);
        }
        let at = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let runs = u64::from(matches!(what, What::Run { .. }));
        let mut put = |what| -> io::Result<bool> {
            let text = serde_json::to_string(&Line { at, what }).map_err(io::Error::other)?;
            let length = text.len() as u64 + 1;
            if length > *left {
                let text =
                    serde_json::to_string(&Line { at, what: What::Full {} }).map_err(io::Error::other)?;
                writeln!(open, "{text}")?;
                return Ok(false);
            }
            writeln!(open, "{text}")?;
            *left -= length;
            summary.bytes += length;
            Ok(true)
        };
        match put(what) {
            Ok(true) => summary.runs += runs,
            Ok(false) => {
                summary.is_full = true;
                *error = open.flush().err();
                *file = None;
            }
            Err(failed) => {
                *error = Some(failed);
                *file = None;
            }
        }
    }

    /// Ends the recording. Later lines are not written.
    pub(super) fn finish(&self) -> io::Result<RecordingSummary> {
        let mut state = self.state();
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        if let Some(mut file) = state.file.take() {
            file.flush()?;
        }
        Ok(state.summary.clone())
    }
}

impl Tape for Writer {
    fn began(&self, start: &RunStart<'_>, _: Option<u64>) -> Option<u64> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        self.write(|_| What::Run {
            run,
            controller: start.controller.to_owned(),
            namespace: start.key.namespace.to_string(),
            name: start.key.name.to_string(),
            failures: start.failures,
            versions: start.seen.versions.clone(),
            derived: start.seen.derived.clone(),
        });
        Some(run)
    }

    fn has_read(&self, run: u64, seen: Seen) {
        self.write(|_| What::Read { run, versions: seen.versions, derived: seen.derived });
    }

    fn ended(&self, run: u64, outcome: ReconcileOutcome) {
        self.write(|_| What::End { run, outcome: outcome.label().to_owned() });
    }
}
