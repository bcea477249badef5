//! What the subresources of a kind are and do.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{ApiError, GroupResource, Time, Unstructured};

use super::Paths;

/// A subresource besides `status`, which all kinds that have one serve alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subresource {
    pub(crate) name: &'static str,
    pub(crate) serves: Serves,
    /// What a write of it has no say in.
    pub(crate) resets: Paths,
}

impl Subresource {
    /// The number of replicas.
    pub(crate) const SCALE: Self = Self::new("scale", Serves::Scale);

    pub(crate) const fn new(name: &'static str, serves: Serves) -> Self {
        Self { name, serves, resets: &[] }
    }

    /// One by which a request goes on to something else.
    pub(crate) const fn connect(name: &'static str, options: Option<&'static str>, to: ConnectTo) -> Self {
        Self::new(name, Serves::Connect(Connect { options, to }))
    }
}

/// What a subresource serves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Serves {
    /// A part of the object, which is read and written as the object is.
    Part(Prepare),
    /// The number of replicas, as a `Scale`.
    Scale,
    /// Something is done with what is posted.
    Post(&'static Post),
    /// The request goes on to something else.
    Connect(Connect),
}

/// Takes everything but a part from the old object: the new object, the old one, the time.
pub(crate) type Prepare = fn(&mut Unstructured, &Unstructured, Time);

/// What posting to a subresource does.
#[derive(Debug)]
pub(crate) struct Post {
    /// The version and the kind of what is posted.
    pub(crate) api_version: &'static str,
    pub(crate) kind: &'static str,
    /// Whether what is posted has the name of the object, which is set where its author left it out.
    pub(crate) named: bool,
    pub(crate) run: fn(Unstructured, &dyn PostContext) -> Result<Posted, ApiError>,
}

/// The answer to a post.
#[derive(Debug)]
pub(crate) enum Posted {
    /// A `Status` that says so.
    Done,
    /// What was posted, completed.
    Object(Unstructured),
}

/// What a post may ask the server for. None of the methods waits.
pub(crate) trait PostContext {
    /// The namespace in the path.
    fn namespace(&self) -> &str;
    /// The name in the path; empty where what is posted says it ([`Action::Post`](super::Action::Post)).
    fn name(&self) -> &str;
    /// The server's time.
    fn now(&self) -> Time;
    /// Everything is checked and nothing is written.
    fn is_dry_run(&self) -> bool;
    /// The object that has the subresource.
    fn get(&self) -> Result<Unstructured, ApiError>;
    /// Changes the object of a name. The function may be called again when another write came between.
    fn update(&self, name: &str, change: &mut Change<'_>) -> Result<(), ApiError>;
    /// Deletes the object that has the subresource.
    fn delete(&self, options: &DeleteOptions) -> Result<(), ApiError>;
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
    /// An object that a token can be bound to, by kind and name, and its resource.
    fn bound_object(&self, kind: &str, name: &str) -> Result<(GroupResource, Unstructured), ApiError>;
    /// Who issues tokens, and for whom they are when nobody is named.
    fn issuer(&self) -> &str;
    /// A token of a service account.
    fn issue_token(&self, claims: &Claims) -> String;
}

/// Makes the new object of the old one.
pub(crate) type Change<'a> = dyn FnMut(Unstructured) -> Result<Unstructured, ApiError> + 'a;

/// What a service account's token is about.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) audiences: Vec<String>,
    /// Seconds since 1970.
    pub(crate) issued: i64,
    /// Seconds since 1970.
    pub(crate) expires: i64,
    /// The kind, the name and the UID of the object that the token lives no longer than.
    pub(crate) bound: Option<(String, String, String)>,
}

/// How a request goes on to something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connect {
    /// The kind of the options that webhooks are shown; `None` where they are not asked.
    pub(crate) options: Option<&'static str>,
    pub(crate) to: ConnectTo,
}

/// Where a request goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectTo {
    /// To streams of a container, through its kubelet.
    Streams,
    /// To the log of a container, through its kubelet.
    Log,
    /// To the address of a pod.
    Pod,
    /// To an endpoint of a service.
    Service,
    /// To the kubelet of a node.
    Node,
}
