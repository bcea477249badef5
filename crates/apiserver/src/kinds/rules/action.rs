//! Actions of a write, in addition to storing an object or instead of it.

use super::Post;

/// The action of creating an object that is not stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// The same as a POST to a subresource of another resource of the core group.
    Post {
        /// The plural name of the resource.
        plural: &'static str,
        post: &'static Post,
    },
    /// Answers a review.
    Review(Review),
}

/// A review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Review {
    /// Whether a user may do something.
    Access,
    /// Whether the current user may do something.
    OwnAccess,
    /// The rules of the current user.
    OwnRules,
    /// The identity of the current user.
    OwnIdentity,
    /// The user of a token.
    Token,
}

/// The work of controllers after a write, before the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowUp {
    /// Serve the resources of a definition, or stop serving them.
    ServeDefinition,
    /// Create the default content of a new namespace.
    PopulateNamespace,
    /// Write the availability of an aggregated API into its status.
    CheckAvailability,
    /// Create or remove the objects of a service's addresses.
    ServiceAddresses,
    /// Sign an approved certificate signing request.
    SignCertificate,
}
