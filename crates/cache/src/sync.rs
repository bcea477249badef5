//! The locks that the shared parts are built on, in one place: the concurrency tests compile those parts a second time
//! with the locks of their scheduler.

pub(crate) use std::sync::{Mutex, MutexGuard, RwLock};
