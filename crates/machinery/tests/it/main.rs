//! Patches as in Go, and inputs that are broken, through the public API. One program for all: each would link the whole crate again.

mod no_panic;
mod options;
mod patch_corpus;
mod shapes;
mod strategic_patch;
