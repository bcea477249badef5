//! Checks that the documents of this repository agree with its sources and with each other.
//!
//! The checks are functions over text and do no I/O, except [`Repository`], which reads the files. `tests/repository.rs`
//! applies them to this repository.

pub mod book;
pub mod catalogue;
pub mod citations;
pub mod errors;
pub mod excerpts;
pub mod features;
pub mod growth;
pub mod links;
pub mod manifests;
pub mod proofs;
pub mod quotes;
mod repository;

pub use repository::{Repository, TextFile};
