//! Derived definitions, how they are installed, and types made of definitions. One program for all: each would link the
//! whole crate again.

mod derive;
mod ferry;
mod hostile;
mod install;
