//! Bounds of an evaluation, and expressions that are hostile. One program for all: each would link the whole crate again.

mod bounds;
mod hostile;
