//! The campaign itself: it repeats histories, it finds what it should, and every history that once failed holds.

mod corpus;
mod determinism;
mod server;
