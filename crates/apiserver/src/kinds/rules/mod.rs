//! The table entry of a kind: facts, and the functions that the registry calls while one of its objects lives.

mod action;
mod context;
mod deletion;
mod field;
mod rights;
mod status;
mod subresource;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use client_rs_machinery::validation::{self, NameUse};
use client_rs_machinery::{ApiError, FieldError, Json, Map, Time, Unstructured};

use super::columns::{self, Column};
use super::conversion::Conversion;
use crate::custom::Custom;
pub(crate) use action::{Action, FollowUp, Review};
pub(crate) use context::WriteContext;
pub(crate) use deletion::{DeletePlan, DeleteRules, Dependents, Grace};
pub(crate) use field::SelectableField;
pub(crate) use rights::{Grants, Rights, SignerRight};
pub(crate) use status::StatusRules;
pub(crate) use subresource::{
    Change, Claims, Connect, ConnectTo, Post, PostContext, Posted, Prepare, Serves, Subresource,
};

/// What is wrong with an object so far.
pub(crate) type Errors = Vec<FieldError>;

/// Fills in what the author of an object left out.
pub(crate) type Default = fn(&mut Map<Json>);
/// Fills in what other objects say about a new one, or refuses it.
pub(crate) type Admit = fn(&mut Unstructured, &dyn WriteContext) -> Result<(), ApiError>;
/// Gives an object what no other of its kind may have. The second object is the old one, if there is one.
pub(crate) type Allocate =
    fn(&mut Unstructured, Option<&Unstructured>, &dyn WriteContext) -> Result<(), ApiError>;
/// Changes JSON text.
pub(crate) type Rewrite = fn(&[u8]) -> Vec<u8>;
/// Changes JSON text, or leaves it.
pub(crate) type RewriteAnswer = fn(&[u8]) -> Option<Vec<u8>>;
/// Paths of fields.
pub(crate) type Paths = &'static [&'static [&'static str]];

/// Everything the server knows about a kind besides its type: an entry in the table of [`super::find`].
///
/// An entry names what differs from [`KindRules::DEFAULT`]. None of the functions waits, and each may be called again
/// with the same object: a request is run again when a webhook's answer has arrived.
// Each flag is a fact of its own, named as the real server names it.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindRules {
    /// Empty for the core group.
    pub(crate) group: &'static str,
    pub(crate) plural: &'static str,

    /// What its names must be.
    pub(crate) name: NameRule,
    /// When `metadata.generation` grows.
    pub(crate) generation: Generation,
    /// Whether an update of an object that does not exist creates it.
    pub(crate) create_on_update: bool,
    /// Whether an update may leave out `metadata.resourceVersion`.
    pub(crate) unconditional_update: bool,
    /// Whether finalizers may have names without a domain.
    pub(crate) plain_finalizers: bool,
    /// Whether admission webhooks are never asked about it.
    pub(crate) exempt_from_webhooks: bool,
    /// Whether an object is the namespace of its own name.
    pub(crate) is_namespace: bool,
    /// Whether objects go by themselves after a time.
    pub(crate) expires: bool,
    /// Fields of the spec that are not kept unless some other resource is served.
    pub(crate) feature: Option<Feature>,
    /// The version that is stored in another form than it is served in.
    pub(crate) conversion: Option<&'static Conversion>,

    /// The fields that a field selector knows besides name and namespace.
    pub(crate) fields: &'static [SelectableField],
    /// Whether the error about an unknown field label is worded in the common way.
    pub(crate) own_labels: bool,
    /// The columns of a table.
    pub(crate) columns: Option<&'static [Column]>,
    /// What every client of the kind is warned of.
    pub(crate) deprecated: Option<&'static str>,
    /// Adds to an object's JSON what its type does not write.
    pub(crate) rewrite_json: Option<Rewrite>,
    /// As `rewrite_json`, for an object that is answered alone: not in lists. `None` changes nothing.
    pub(crate) rewrite_answer: Option<RewriteAnswer>,
    /// What a write of the object has no say in, where that is not its `status` alone.
    pub(crate) resets: Option<Paths>,
    /// Whether a scale's selector is the labels themselves.
    pub(crate) plain_selector: bool,
    /// Whether the token of a service account can be bound to an object.
    pub(crate) binds_tokens: bool,
    /// Its subresources besides `status`.
    pub(crate) subresources: &'static [Subresource],
    /// What creating one does instead of storing it.
    pub(crate) action: Option<Action>,
    /// What the controllers do at once when one was written.
    pub(crate) follow_up: Option<FollowUp>,

    /// What is particular to its status.
    pub(crate) status: StatusRules,
    /// What is particular to its deletion.
    pub(crate) delete: DeleteRules,
    /// The rights that a write needs besides those on the resource.
    pub(crate) rights: Rights,

    /// Fills in defaults. Doing it twice changes nothing more.
    pub(crate) defaults: Default,
    /// What other objects say about a new one.
    pub(crate) admit: Option<Admit>,
    /// Sets what only the server says in a new object, after the common preparation.
    pub(crate) prepare_create: fn(&mut Unstructured, Time),
    /// Sets or keeps what an update may not change: the new object, the old one.
    pub(crate) prepare_update: fn(&mut Unstructured, &Unstructured),
    /// What is wrong with an object that is to be written.
    pub(crate) validate: fn(&Unstructured, &mut Errors),
    /// What is wrong with a new object and would be accepted later.
    pub(crate) validate_create: fn(&Unstructured, &mut Errors),
    /// What is wrong with a change: the new object, the old one.
    pub(crate) validate_update: fn(&Unstructured, &Unstructured, &mut Errors),
    /// What the author of an object is warned of: the new object, the old one.
    pub(crate) warnings: fn(&Unstructured, Option<&Unstructured>) -> Vec<String>,
    /// What no other object of the kind may have. Writes of such a kind happen one after another.
    pub(crate) allocate: Option<Allocate>,
}

impl KindRules {
    /// A kind about which nothing is known but its type.
    pub(crate) const DEFAULT: Self = Self {
        group: "",
        plural: "",
        name: NameRule::Subdomain,
        generation: Generation::None,
        create_on_update: false,
        unconditional_update: true,
        plain_finalizers: false,
        exempt_from_webhooks: false,
        is_namespace: false,
        expires: false,
        feature: None,
        conversion: None,
        fields: &[],
        own_labels: false,
        columns: None,
        deprecated: None,
        rewrite_json: None,
        rewrite_answer: None,
        resets: None,
        plain_selector: false,
        binds_tokens: false,
        subresources: &[],
        action: None,
        follow_up: None,
        status: StatusRules::DEFAULT,
        delete: DeleteRules::DEFAULT,
        rights: Rights::DEFAULT,
        defaults: |_| {},
        admit: None,
        prepare_create: |_, _| {},
        prepare_update: |_, _| {},
        validate: |_, _| {},
        validate_create: |_, _| {},
        validate_update: |_, _, _| {},
        warnings: |_, _| Vec::new(),
        allocate: None,
    };

    /// Whether a name is one that the kind accepts.
    pub(crate) fn check_name(&self, name: &str, name_use: NameUse) -> validation::Result {
        match self.name {
            NameRule::Subdomain => validation::name_is_dns_subdomain(name, name_use),
            NameRule::Label => validation::name_is_dns_label(name, name_use),
            NameRule::PathSegment => validation::name_is_path_segment(name, name_use),
        }
    }

    /// The subresource of a name, besides `status`.
    pub(crate) fn subresource(&self, name: &str) -> Option<&'static Subresource> {
        self.subresources.iter().find(|known| known.name == name)
    }
}

/// The rules of a resource that is served: a built-in kind's entry in the table, or the entry that a definition makes.
///
/// It dereferences to the entry. Its own methods are the steps in which a definition has a say.
#[derive(Clone)]
pub(crate) enum Rules {
    BuiltIn(&'static KindRules),
    Custom(Arc<Custom>),
}

impl Deref for Rules {
    type Target = KindRules;

    fn deref(&self) -> &KindRules {
        match self {
            Self::BuiltIn(rules) => rules,
            Self::Custom(_) => &super::custom::RULES,
        }
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(rules) => write!(f, "BuiltIn({}/{})", rules.group, rules.plural),
            Self::Custom(custom) => write!(f, "Custom({})", custom.definition),
        }
    }
}

impl Rules {
    /// What the definition says, for a custom resource.
    pub(crate) fn custom(&self) -> Option<&Arc<Custom>> {
        match self {
            Self::BuiltIn(_) => None,
            Self::Custom(custom) => Some(custom),
        }
    }

    /// Refuses to create an object that the kind no longer accepts.
    pub(crate) fn closed(&self) -> Option<&'static str> {
        let terminating = self.custom().is_some_and(|custom| custom.terminating);
        terminating.then_some("create not allowed while custom resource definition is terminating")
    }

    /// What is wrong with a new object.
    pub(crate) fn check_create(&self, object: &Unstructured, errors: &mut Errors) {
        match self {
            Self::BuiltIn(rules) => {
                (rules.validate_create)(object, errors);
                (rules.validate)(object, errors);
            }
            Self::Custom(custom) => errors.extend(custom.check(object, None)),
        }
    }

    /// What is wrong with a change of an object.
    pub(crate) fn check_update(&self, new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
        match self {
            Self::BuiltIn(rules) => {
                (rules.validate)(new, errors);
                (rules.validate_update)(new, old, errors);
            }
            Self::Custom(custom) => errors.extend(custom.check(new, Some(old))),
        }
    }

    /// What is wrong with a change of an object's status.
    pub(crate) fn check_status(&self, new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
        match self {
            Self::BuiltIn(rules) => (rules.status.validate)(new, old, errors),
            Self::Custom(custom) => errors.extend(custom.check_status(new, old)),
        }
    }

    /// What every client of the version is warned of.
    pub(crate) fn deprecation(&self) -> Option<&str> {
        match self {
            Self::BuiltIn(rules) => rules.deprecated,
            Self::Custom(custom) => custom.warning.as_deref(),
        }
    }

    /// The columns of a table, besides those of a definition; name and creation for a kind that has none of its own.
    pub(crate) fn columns(&self) -> &'static [Column] {
        self.columns.unwrap_or(columns::DEFAULT)
    }
}

/// What a name must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    Subdomain,
    Label,
    PathSegment,
}

/// When `metadata.generation` grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generation {
    /// It is not set.
    None,
    /// It begins at 1 and grows when anything but the metadata changes.
    Content,
    /// It begins at 1 and grows when one of these changes.
    With(Paths),
}

impl Generation {
    /// It begins at 1 and grows when the spec changes.
    pub(crate) const SPEC: Self = Self::With(&[&["spec"]]);
}

/// Fields of the spec that belong to a feature, which is on when another resource of the group is served.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    /// The plural name of the resource.
    pub(crate) resource: &'static str,
    pub(crate) fields: &'static [&'static str],
}
