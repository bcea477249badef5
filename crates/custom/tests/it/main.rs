//! Derived definitions, their installation, and types generated from definitions. One program for all tests, so that the
//! crate is linked once.

mod derive;
mod ferry;
mod hostile;
mod install;
mod validate;
