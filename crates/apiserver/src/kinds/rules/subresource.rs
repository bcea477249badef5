//! The subresources of a kind.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{ApiError, GroupResource, Time, Unstructured};

use super::{Errors, Paths};

/// A subresource, except `status`, which is the same for all kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subresource {
    pub(crate) name: &'static str,
    pub(crate) serves: Serves,
    /// The fields that a write can't change.
    pub(crate) resets: Paths,
}

impl Subresource {
    /// The number of replicas.
    pub(crate) const SCALE: Self = Self::new("scale", Serves::Scale);

    pub(crate) const fn new(name: &'static str, serves: Serves) -> Self {
        Self { name, serves, resets: &[] }
    }

    /// A subresource that forwards the request.
    pub(crate) const fn connect(name: &'static str, options: Option<&'static str>, to: ConnectTo) -> Self {
        Self::new(name, Serves::Connect(Connect { options, to }))
    }
}

/// The content of a subresource.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Serves {
    /// A part of the object, which is read and written as the object.
    Part(&'static PartRules),
    /// The number of replicas, as a `Scale`.
    Scale,
    /// An action on the posted object.
    Post(&'static Post),
    /// A connection: the request is forwarded.
    Connect(Connect),
}

/// The rules for a part of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartRules {
    /// Takes everything except the part from the old object.
    pub(crate) prepare: Prepare,
    /// Validates a change of the part: the new object, the old one.
    pub(crate) validate: fn(&Unstructured, &Unstructured, &mut Errors),
}

impl PartRules {
    /// The rules for a change that the server makes itself: all of it counts.
    pub(crate) const OWN: Self = Self { prepare: |_, _, _| {}, validate: |_, _, _| {} };
}

/// Keeps or sets the fields that a write of a part can't change: the new object, the old one, the time.
pub(crate) type Prepare = fn(&mut Unstructured, &Unstructured, Time);

/// The action of a POST to a subresource.
#[derive(Debug)]
pub(crate) struct Post {
    /// The version and the kind of the posted object.
    pub(crate) api_version: &'static str,
    pub(crate) kind: &'static str,
    /// Whether the posted object has the name of the parent object. A missing name is set.
    pub(crate) named: bool,
    pub(crate) run: fn(Unstructured, &dyn PostContext) -> Result<Posted, ApiError>,
}

/// The result of a POST.
#[derive(Debug)]
pub(crate) enum Posted {
    /// A `Status` that reports success.
    Done,
    /// The posted object, completed.
    Object(Unstructured),
}

/// The parts of the server that a POST can use. No method blocks.
pub(crate) trait PostContext {
    /// The namespace in the path.
    fn namespace(&self) -> &str;
    /// The name in the path; empty if the posted object has the name ([`Action::Post`](super::Action::Post)).
    fn name(&self) -> &str;
    /// The server's time.
    fn now(&self) -> Time;
    /// Whether everything is checked but nothing is written.
    fn is_dry_run(&self) -> bool;
    /// Returns the object that has the subresource.
    fn get(&self) -> Result<Unstructured, ApiError>;
    /// Changes the object of this name. `change` is called again after a conflict.
    fn update(&self, name: &str, change: &mut Change<'_>) -> Result<(), ApiError>;
    /// Deletes the object that has the subresource.
    fn delete(&self, options: &DeleteOptions) -> Result<(), ApiError>;
    /// Returns another object, by the group and plural name of its resource.
    fn find(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Unstructured>;
    /// All objects of another resource in the namespace.
    fn list(&self, group: &str, plural: &str) -> Vec<Unstructured>;
    /// Changes the status of an object of another resource in the namespace.
    fn update_status(
        &self,
        group: &str,
        plural: &str,
        name: &str,
        change: &mut Change<'_>,
    ) -> Result<(), ApiError>;
    /// Returns an object that a token can be bound to, by kind and name, with its resource.
    fn bound_object(&self, kind: &str, name: &str) -> Result<(GroupResource, Unstructured), ApiError>;
    /// The default audiences of tokens.
    fn audiences(&self) -> &[String];
    /// Issues a token of a service account.
    fn issue_token(&self, claims: &Claims) -> String;
}

/// Computes the new object from the old one.
pub(crate) type Change<'a> = dyn FnMut(Unstructured) -> Result<Unstructured, ApiError> + 'a;

/// The claims of a service account token.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) audiences: Vec<String>,
    /// The issue time, in seconds since 1970.
    pub(crate) issued: i64,
    /// The expiry, in seconds since 1970.
    pub(crate) expires: i64,
    /// The kind, the name and the UID of the object that the token is bound to.
    pub(crate) bound: Option<(String, String, String)>,
}

/// A forwarded request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connect {
    /// The kind of the options that webhooks review; `None` if webhooks are not called.
    pub(crate) options: Option<&'static str>,
    pub(crate) to: ConnectTo,
}

/// The destination of a forwarded request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectTo {
    /// Streams of a container, through its kubelet.
    Streams,
    /// The log of a container, through its kubelet.
    Log,
    /// The address of a pod.
    Pod,
    /// An endpoint of a service.
    Service,
    /// The kubelet of a node.
    Node,
}
