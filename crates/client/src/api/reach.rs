//! Where a handle looks for objects.

use client_rs_machinery::{Cluster, Namespaced, Scope, Str};

/// What an [`Api`](super::Api) reaches: the objects of the [`Cluster`] itself, those of one namespace ([`Namespaced`]), or
/// those of [`AllNamespaces`].
pub trait Reach: sealed::Sealed + Send + Sync + 'static {
    /// Whether requests name a namespace.
    const ONE_NAMESPACE: bool;
}

/// A reach in which a name means one object: not all namespaces at once.
#[diagnostic::on_unimplemented(
    message = "a name alone means no object in all namespaces",
    label = "only `list`, `list_stream`, `pages` and `watch` go across namespaces",
    note = "pick a namespace first: `.namespace(\"default\")`"
)]
pub trait ByName: Reach {}

/// Every namespace at once: to list and to watch.
///
/// As a value, it stands where a namespace's name could: `pods(AllNamespaces)`.
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

/// The scope of kinds whose objects are in namespaces.
#[diagnostic::on_unimplemented(
    message = "objects of this kind are in no namespace",
    label = "this kind is cluster-scoped",
    note = "use `Api::cluster`"
)]
pub trait HasNamespaces: Scope {}

/// The scope of kinds whose objects are the cluster's own.
#[diagnostic::on_unimplemented(
    message = "objects of this kind are in namespaces",
    label = "this kind is namespaced",
    note = "use `Api::namespaced` or `Api::all`"
)]
pub trait OfCluster: Scope {}

impl HasNamespaces for Namespaced {}
impl OfCluster for Cluster {}

/// A namespace's name, or [`AllNamespaces`].
///
/// An empty name means no namespace and is refused before anything is sent: Go's `Pods("")` is `pods(AllNamespaces)`.
pub trait Within {
    /// What a handle made with it reaches.
    type Reach: Reach;

    /// The namespace; empty for all of them.
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
