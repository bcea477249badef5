//! What a write does besides, or instead of, storing an object.

use super::Post;

/// What creating an object does, where it is not stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// The same as posting it to a subresource of another resource of the core group.
    Post {
        /// The plural name of the resource.
        plural: &'static str,
        post: &'static Post,
    },
    /// A question is answered.
    Review(Review),
}

/// A question that is asked by creating an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Review {
    /// May somebody do something?
    Access,
    /// May the user do something?
    OwnAccess,
    /// What may the user do?
    OwnRules,
    /// Who is the user?
    OwnIdentity,
    /// Whose token is this?
    Token,
}

/// What the controllers do when an object was written, before the request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowUp {
    /// The kind that the object defines is served, or no longer.
    ServeDefinition,
    /// A new namespace gets its content.
    PopulateNamespace,
    /// Whether the server of a new aggregated version answers is written into the status.
    CheckAvailability,
    /// An approved request for a certificate is signed.
    SignCertificate,
}
