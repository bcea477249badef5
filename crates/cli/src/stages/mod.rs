//! Stages of played objects, in the form of KWOK: what becomes of an object, after which time.
//!
//! The core is pure: [`stage`] reads stages, chooses one for an object, and makes its patches; [`query`] and [`template`] are the
//! parts of jq and of Go's templates that selectors and patches use. [`play`] is the shell: informers, a timer per object, and writes.

mod fields;
mod functions;
mod lexer;
mod play;
mod query;
mod stage;
mod steps;
mod template;

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use client_rs_client::manifest;

pub(crate) use play::Playing;
use stage::Stage;

/// The stages of some files.
#[derive(Debug, Default)]
pub(crate) struct Stages(Vec<Stage>);

impl Stages {
    /// Reads the stages of a file or a directory. A field, a function or a query that is not supported is an error that names it.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let at = || path.display().to_string();
        let read = manifest::read_path(path)?.into_iter();
        let stages: Result<Vec<Stage>, String> = read.map(|one| Stage::read(&one.object)).collect();
        let stages = stages.map_err(|why| anyhow!(why)).with_context(at)?;
        ensure!(!stages.is_empty(), "{}: no stage", at());
        Ok(Self(stages))
    }

    /// Adds the stages of another file.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether a stage is for a kind of the core group.
    pub(crate) fn is_for(&self, kind: &str) -> bool {
        self.0.iter().any(|stage| stage.resource.0 == "v1" && stage.resource.1 == kind)
    }
}
