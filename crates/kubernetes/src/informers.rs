//! Informers over clients.
//!
//! [`RestListWatch`] is where an informer's objects come from; [`SharedInformerFactory`] makes the informers of a
//! process, one a resource, and starts and stops them together.

mod events;
mod fetch_error;
mod rest_list_watch;

pub use rest_list_watch::RestListWatch;
