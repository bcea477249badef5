//! The locks of the shared parts, in one place: the concurrency tests compile those parts again with the locks
//! of their scheduler.

pub(crate) use std::sync::{Mutex, MutexGuard, RwLock};
