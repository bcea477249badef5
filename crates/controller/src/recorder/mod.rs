//! The flight recorder: what a controller has seen, decided and done, in bounded memory.
//!
//! `record` and `segment` are pure: what is recorded, and its encoding. `stage` has the newest records until they are
//! encoded, `ring` keeps segments within a limit. `log` and `run_log`
//! are the side of the controller that writes.

mod attention;
mod informers;
mod log;
mod record;
mod ring;
mod run_log;
mod segment;
mod source;
mod stage;
mod varint;

pub(crate) use attention::Attention;
pub(crate) use informers::Informers;
pub(crate) use log::{Log, hash_of, kind_of};
pub(crate) use record::{
    Cause, EventKind, InformerChange, Method, Name, Record, ResourceName, Skip, Verdict, What, changed,
};
pub use ring::Recorder;
pub(crate) use run_log::{RequestList, RunLog, micros, version_number};
pub(crate) use source::{Look, Role, Source};
pub(crate) use stage::{EndedRun, RunSink, StagedEvent, StagedVerdict};
