//! The rights that a write needs besides those on its resource.

use super::Paths;

/// The rights that a write of a kind's objects needs besides those on the resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rights {
    /// The rights that an object gives to others. Its author must hold them.
    pub(crate) grants: Option<Grants>,
    /// The rights that a write needs for the signer that an object names.
    pub(crate) signers: &'static [SignerRight],
}

impl Rights {
    /// None.
    pub(crate) const DEFAULT: Self = Self { grants: None, signers: &[] };

    /// An object gives these rights to others.
    pub(crate) const fn grants(grants: Grants) -> Self {
        Self { grants: Some(grants), ..Self::DEFAULT }
    }

    /// A write speaks for a signer.
    pub(crate) const fn signers(signers: &'static [SignerRight]) -> Self {
        Self { signers, ..Self::DEFAULT }
    }
}

/// The rights that an object gives to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grants {
    /// Those that it lists.
    OwnRules,
    /// Those that it lists, or those of other roles.
    Aggregated,
    /// Those of the role that it names.
    RoleRef,
}

/// A right that a write needs for the signer that an object names.
#[derive(Debug)]
pub(crate) struct SignerRight {
    /// The subresource that is written; empty for the object itself.
    pub(crate) subresource: &'static str,
    pub(crate) verb: &'static str,
    /// What the verb means, for the error.
    pub(crate) what: &'static str,
    /// The right is needed when one of these changes; always, where there are none.
    pub(crate) changes: Paths,
    /// Whether the signer is that of the new object, not of the old one.
    pub(crate) of_new: bool,
}
