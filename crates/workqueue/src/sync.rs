//! The blocking primitives that the shell is built on. The race tests put a scheduler's in their place.

pub(crate) use std::sync::{Mutex, MutexGuard};
pub(crate) use std::thread::{Thread, current, park, park_timeout};
