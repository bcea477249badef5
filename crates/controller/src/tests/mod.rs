//! Controllers over a collection in memory, in paused time.

mod controllers;
mod managers;
mod predicates;
mod source;
