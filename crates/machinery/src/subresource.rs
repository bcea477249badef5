//! Parts of an object that a server serves under their own path.

use crate::Resource;
use crate::wire::Payload;

/// A part of an object, such as `status`, or an action on it, such as `eviction`.
///
/// The type represents a path segment and has no values. The types below are those of the built-in kinds; a custom
/// subresource is a type of its own.
pub trait Subresource: 'static {
    /// The path segment, such as `status`.
    const NAME: &'static str;
}

/// A kind that has this subresource.
///
/// A kind with [`verbs::Status`](crate::verbs::Status) has [`Status`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no subresource `{S}`",
    label = "the API server serves no `{S}` of `{Self}`",
    note = "where the server does serve it, the cargo feature of the group whose type it speaks may be off"
)]
pub trait HasSubresource<S: Subresource>: Resource {
    /// The body of a request, and the result of a read: often the kind itself.
    type Payload: Payload;
    /// The response to a create.
    type Answer: Payload;
}

impl<K: crate::verbs::Status + Payload> HasSubresource<Status> for K {
    type Payload = K;
    type Answer = K;
}

macro_rules! subresources {
    ($($(#[$doc:meta])* $name:ident = $segment:literal: $($verb:ident),*;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl Subresource for $name {
            const NAME: &'static str = $segment;
        }

        $(impl verbs::$verb for $name {})*
    )*};
}

subresources! {
    /// The observed state, written separately from the desired state.
    Status = "status": Get, Update, Patch;
    /// The number of replicas, without knowing the kind.
    Scale = "scale": Get, Update, Patch;
    /// The eviction of a pod, if its disruption budget allows it.
    Eviction = "eviction": Create;
    /// The assignment of a pod to a node.
    Binding = "binding": Create;
    /// A token for a service account.
    Token = "token": Create;
    /// The approval or denial of a certificate signing request.
    Approval = "approval": Get, Update, Patch;
    /// Containers that are added to a running pod.
    EphemeralContainers = "ephemeralcontainers": Get, Update, Patch;
    /// Resources of a running pod.
    Resize = "resize": Get, Update, Patch;
    /// The finalizers of a namespace.
    Finalize = "finalize": Update;
    /// The output of a container.
    Log = "log": Read;
    /// HTTP requests to the server that listens there.
    Proxy = "proxy": Proxied;
    /// The streams of a container's first process.
    Attach = "attach": Upgrade;
    /// A process in a container.
    Exec = "exec": Upgrade;
    /// Connections to a pod's ports.
    PortForward = "portforward": Upgrade;
}

/// The verbs of a subresource, one trait per verb.
pub mod verbs {
    use super::Subresource;

    /// It can be read as an object.
    #[diagnostic::on_unimplemented(message = "the API server serves no `get` of the subresource `{Self}`")]
    pub trait Get: Subresource {}

    /// Something can be created there.
    #[diagnostic::on_unimplemented(message = "the API server serves no `create` of the subresource `{Self}`")]
    pub trait Create: Subresource {}

    /// It can be replaced.
    #[diagnostic::on_unimplemented(message = "the API server serves no `update` of the subresource `{Self}`")]
    pub trait Update: Subresource {}

    /// It can be patched or applied.
    #[diagnostic::on_unimplemented(message = "the API server serves no `patch` of the subresource `{Self}`")]
    pub trait Patch: Subresource {}

    /// It can be read as bytes.
    #[diagnostic::on_unimplemented(message = "the subresource `{Self}` is no text to be read")]
    pub trait Read: Subresource {}

    /// HTTP requests of any method are passed on.
    #[diagnostic::on_unimplemented(message = "the subresource `{Self}` passes no requests on")]
    pub trait Proxied: Subresource {}

    /// A connection can be upgraded to streams.
    #[diagnostic::on_unimplemented(message = "the subresource `{Self}` has no streams")]
    pub trait Upgrade: Subresource {}
}
