//! Integration tests of derived collections.

mod cost;
mod informers;
mod krt;
mod lifetime;
mod panics;
mod purity;
mod sources;
