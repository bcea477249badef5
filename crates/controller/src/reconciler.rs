//! The reconcile function.

use std::future::Future;

use client_rs_machinery::ObjectKey;

use crate::{Context, Result};

/// The reconcile function of a controller: makes the current state match one object's desired state.
///
/// A closure from a key and a [`Context`] to a future implements it. Implement it for a type if the function has state, such
/// as listers and clients.
///
/// - **Level triggered**: a key means that something about the object may have changed, not what. Events are deduplicated.
///   Look at the current state.
/// - **Deleted objects** are reconciled too: the cache then has no object for the key.
/// - **One run per key** at a time; different keys run in parallel, up to
///   [`workers`](crate::ControllerOptions::workers).
/// - **Cancellation**: the future may be dropped at any `.await`, by
///   [`reconcile_timeout`](crate::ControllerOptions::reconcile_timeout), at the end of a shutdown, or when leadership is
///   lost. The next run finds on the server the writes that were made before.
/// - **Panics** are caught, counted and logged. The key is retried as after an error.
/// - **Blocking** is not allowed: the function runs on the async workers. Use `tokio::task::spawn_blocking`.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_cache::Lister;
/// use client_rs_controller::{Action, Context, Controller, Reconciler, Result};
/// use client_rs_informers::SharedInformerFactory;
/// use client_rs_machinery::ObjectKey;
///
/// struct Settings {
///     maps: Lister<ConfigMap>,
/// }
///
/// impl Reconciler for Settings {
///     async fn reconcile(&self, key: ObjectKey, _: Context) -> Result<Action> {
///         match self.maps.get(&key) {
///             Ok(map) => println!("{key} has {} entries", map.data.len()),
///             Err(_) => println!("{key} was deleted"),
///         }
///         Ok(Action::done())
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
/// # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
/// # let server = client_rs_apiserver::Server::start_with(options).await?;
/// # let factory = SharedInformerFactory::new(server.rest_client()?);
/// let maps = factory.of::<ConfigMap>();
/// let settings = Settings { maps: maps.lister() };
/// let controller = Controller::new("settings", maps.informer()).reconcile(settings);
/// assert_eq!(controller.name(), "settings");
/// # Ok(())
/// # }
/// ```
///
/// `Q` is the type of the keys: [`ObjectKey`], or any other in a [`KeyedController`](crate::KeyedController).
pub trait Reconciler<Q = ObjectKey>: Send + Sync + 'static {
    /// Reconciles one object.
    fn reconcile(&self, key: Q, context: Context) -> impl Future<Output = Result> + Send;
}

impl<Q, F, Fut> Reconciler<Q> for F
where
    F: Fn(Q, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result> + Send,
{
    fn reconcile(&self, key: Q, context: Context) -> impl Future<Output = Result> + Send {
        self(key, context)
    }
}
