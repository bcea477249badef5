//! The reconcile function.

use std::future::Future;

use client_rs_machinery::ObjectKey;

use crate::{Context, Result};

/// Brings the world into line with one object. Async closures from a key and a [`Context`] are such.
///
/// - **Level triggered**: a key says that something about the object may have changed, not what. Events are merged;
///   look at what is there now.
/// - **Deleted objects** are reconciled too: the key is there and the object is not.
/// - **Never twice at once** for the same key; different keys in parallel, up to
///   [`workers`](crate::ControllerOptions::workers).
/// - **Cancellation**: the future may be dropped at any await, by
///   [`reconcile_timeout`](crate::ControllerOptions::reconcile_timeout) or at the end of a stop. What it had begun on
///   the server is found there by the next run.
/// - **Panics** are caught, counted and logged; the key is tried again as after an error.
/// - **Blocking** is not allowed: it runs on the async workers.
pub trait Reconciler: Send + Sync + 'static {
    /// Reconciles one object.
    fn reconcile(&self, key: ObjectKey, context: Context) -> impl Future<Output = Result> + Send;
}

impl<F, Fut> Reconciler for F
where
    F: Fn(ObjectKey, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result> + Send,
{
    fn reconcile(&self, key: ObjectKey, context: Context) -> impl Future<Output = Result> + Send {
        self(key, context)
    }
}
