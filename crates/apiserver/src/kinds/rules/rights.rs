//! The rights that a write needs in addition to those on its resource.

use super::Paths;

/// The rights that a write of a kind's objects needs in addition to those on the resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rights {
    /// The rights that an object grants. Its author must hold them.
    pub(crate) grants: Option<Grants>,
    /// The rights that a write needs on the signer of the object.
    pub(crate) signers: &'static [SignerRight],
    /// The rights that a policy or a binding needs on its parameters.
    pub(crate) params: Option<ParamRights>,
}

impl Rights {
    /// No additional rights.
    pub(crate) const DEFAULT: Self = Self { grants: None, signers: &[], params: None };

    /// For objects that grant rights.
    pub(crate) const fn grants(grants: Grants) -> Self {
        Self { grants: Some(grants), ..Self::DEFAULT }
    }

    /// For policies and bindings with parameters.
    pub(crate) const fn params(params: ParamRights) -> Self {
        Self { params: Some(params), ..Self::DEFAULT }
    }

    /// For writes that act for a signer.
    pub(crate) const fn signers(signers: &'static [SignerRight]) -> Self {
        Self { signers, ..Self::DEFAULT }
    }
}

/// The rights that a policy or a binding needs on its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamRights {
    /// A policy: to read all objects of their kind.
    Kind,
    /// A binding: to read those that it refers to.
    Reference {
        /// The plural name of the policies.
        policies: &'static str,
    },
}

impl ParamRights {
    /// The field of the spec with the parameters.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Kind => "paramKind",
            Self::Reference { .. } => "paramRef",
        }
    }
}

/// The rights that an object grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grants {
    /// The rules in the object.
    OwnRules,
    /// The rules in the object, or those of aggregated roles.
    Aggregated,
    /// The rules of the referenced role.
    RoleRef,
}

/// A right on the signer of an object.
#[derive(Debug)]
pub(crate) struct SignerRight {
    /// The written subresource; empty for the object itself.
    pub(crate) subresource: &'static str,
    pub(crate) verb: &'static str,
    /// The action of the verb, for the error.
    pub(crate) what: &'static str,
    /// The right is needed if one of these fields changes. If the list is empty, it is always needed.
    pub(crate) changes: Paths,
    /// Whether the signer is that of the new object instead of the old one.
    pub(crate) of_new: bool,
}
