//! Changing objects on their way into a cache.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_machinery::{ErrorChain, Object, ObjectKey};

/// A function that every object passes once, before anyone sees it: to drop what a program does not read.
///
/// It must leave name, namespace and resourceVersion as they are. It is called from the task that reads the server's
/// answer, so it must be quick. It never sees an object twice, and never a tombstone.
///
/// One that fails or panics harms its object alone: the cache keeps the last good version and marks it as stale.
pub struct Transform<K>(Arc<Function<K>>);

type Function<K> = dyn Fn(K) -> Result<K, Box<dyn Error + Send + Sync>> + Send + Sync;

/// A transform that failed or panicked.
#[derive(Debug, thiserror::Error)]
#[error("transform of {key} failed: {}", ErrorChain(&**cause))]
pub struct TransformError {
    /// The object.
    pub key: ObjectKey,
    /// What went wrong: the function's own error, or the panic's message.
    pub cause: Box<dyn Error + Send + Sync>,
    /// Whether it was a panic.
    pub panicked: bool,
}

impl<K: Object> Transform<K> {
    /// A function that can fail.
    pub fn new(
        function: impl Fn(K) -> Result<K, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(function))
    }

    /// A function that edits the object and can't fail.
    pub fn edit(function: impl Fn(&mut K) + Send + Sync + 'static) -> Self {
        Self::new(move |mut object| {
            function(&mut object);
            Ok(object)
        })
    }

    /// Runs it on one object.
    pub fn apply(&self, object: K) -> Result<K, TransformError> {
        let key = object.key();
        // What the function may have left half-done is its own; the object is dropped.
        match catch_unwind(AssertUnwindSafe(|| (self.0)(object))) {
            Ok(Ok(object)) => Ok(object),
            Ok(Err(cause)) => Err(TransformError { key, cause, panicked: false }),
            Err(panic) => {
                Err(TransformError { key, cause: panic_message(&*panic).to_owned().into(), panicked: true })
            }
        }
    }
}

/// The text of a panic, where it has one.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
}

impl<K> Clone for Transform<K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K> fmt::Debug for Transform<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transform")
    }
}
