//! Derived definitions, and how they are installed. One program for all: each would link the whole crate again.

mod derive;
mod install;
