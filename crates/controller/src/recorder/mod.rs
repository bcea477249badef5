//! The flight recorder: what a controller has seen, decided and done, in bounded memory.
//!
//! `record` and `segment` are pure: what is recorded, and its encoding. `ring` keeps segments within a limit. `log` and `run_log`
//! are the side of the controller that writes.

mod attention;
mod informers;
mod log;
mod record;
mod ring;
mod run_log;
mod segment;
mod source;
mod varint;

pub(crate) use informers::Informers;
pub(crate) use log::{Log, event_of, hash_of};
pub(crate) use record::{
    Cause, EventKind, InformerChange, Method, Name, Record, ResourceName, Run, Skip, Verdict, What, changed,
};
pub use ring::Recorder;
pub(crate) use run_log::{RequestList, RunLog, micros, version_number};
pub(crate) use source::{Look, Role, Source};
