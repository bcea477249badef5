//! Controllers over a collection in memory, in paused time.

mod controllers;
mod elections;
mod managers;
mod predicates;
mod source;
