//! Limits of an evaluation, and hostile expressions. One program for all: each would link the whole crate again.

mod bounds;
mod hostile;
mod policy;
