//! The generated types through the public API. One program for all: each would link the whole crate again.

mod patch_corpus;
mod secrets;
