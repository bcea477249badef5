//! Integration tests of derived collections.

mod cost;
mod informers;
mod krt;
mod lifetime;
mod purity;
