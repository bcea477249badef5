//! The scopes of handles.

use client_rs_machinery::{Cluster, Namespaced, Scope, Str};

/// The scope of an [`Api`](super::Api): the [`Cluster`], one namespace ([`Namespaced`]), or [`AllNamespaces`].
pub trait Reach: sealed::Sealed + Send + Sync + 'static {
    /// Whether the path of a request includes a namespace.
    const ONE_NAMESPACE: bool;
}

/// A scope where a name identifies one object: the cluster or one namespace, but not all namespaces.
#[diagnostic::on_unimplemented(
    message = "a name alone does not identify an object across all namespaces",
    label = "only `list`, `list_stream`, `pages` and `watch` work across namespaces",
    note = "pick a namespace first: `.namespace(\"default\")`"
)]
pub trait ByName: Reach {}

/// All namespaces: a scope for lists and watches.
///
/// As a value, it replaces the name of a namespace: `pods(AllNamespaces)`.
///
/// ```
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::{AllNamespaces, Api};
///
/// # let rest = Canned::new().client();
/// let pods: Api<Pod, AllNamespaces> = Api::all(&rest);
/// assert_eq!(pods.watch().into_request().path_and_query("").unwrap(), "/api/v1/pods?watch=true");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AllNamespaces;

impl Reach for Cluster {
    const ONE_NAMESPACE: bool = false;
}

impl Reach for Namespaced {
    const ONE_NAMESPACE: bool = true;
}

impl Reach for AllNamespaces {
    const ONE_NAMESPACE: bool = false;
}

impl ByName for Cluster {}
impl ByName for Namespaced {}

/// The scope of namespaced kinds.
#[diagnostic::on_unimplemented(
    message = "objects of this kind are not in a namespace",
    label = "this kind is cluster-scoped",
    note = "use `Api::cluster`"
)]
pub trait HasNamespaces: Scope {}

/// The scope of cluster-scoped kinds.
#[diagnostic::on_unimplemented(
    message = "objects of this kind are in namespaces",
    label = "this kind is namespaced",
    note = "use `Api::namespaced` or `Api::all`"
)]
pub trait OfCluster: Scope {}

impl HasNamespaces for Namespaced {}
impl OfCluster for Cluster {}

/// The name of a namespace, or [`AllNamespaces`]: the argument of functions that accept both.
///
/// An empty name is refused before anything is sent. Go's `Pods("")` is `pods(AllNamespaces)` here.
pub trait Within {
    /// The scope of a handle that is created with it.
    type Reach: Reach;

    /// The namespace. Empty for all namespaces.
    fn into_namespace(self) -> Str;
}

impl Within for AllNamespaces {
    type Reach = AllNamespaces;

    fn into_namespace(self) -> Str {
        Str::EMPTY
    }
}

macro_rules! names {
    ($($name:ty),*) => {$(
        impl Within for $name {
            type Reach = Namespaced;

            fn into_namespace(self) -> Str {
                Str::from(self)
            }
        }
    )*};
}

names!(&str, &String, String, Str);

impl Within for &Str {
    type Reach = Namespaced;

    fn into_namespace(self) -> Str {
        self.clone()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for client_rs_machinery::Cluster {}
    impl Sealed for client_rs_machinery::Namespaced {}
    impl Sealed for super::AllNamespaces {}
}
