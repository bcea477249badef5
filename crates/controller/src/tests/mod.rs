//! Controllers over a collection in memory, in paused time.

mod controllers;
mod detectors;
mod elections;
mod errors;
mod gaps;
mod keyed_writes;
mod managers;
mod own_writes;
mod predicates;
mod source;
mod sources;
mod spans;
mod terms;
mod why;
