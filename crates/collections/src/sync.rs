//! The locks of the shell, in one place: the concurrency tests compile it again with the locks of their scheduler.

pub(crate) use std::sync::atomic::AtomicBool;
pub(crate) use std::sync::{Mutex, MutexGuard};
