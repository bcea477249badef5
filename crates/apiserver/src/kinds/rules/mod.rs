//! The table entry of a kind: data, and the functions that the registry calls for its objects.

mod action;
mod context;
mod deletion;
mod field;
mod plugin;
mod quota;
mod rights;
mod status;
mod subresource;
mod written;

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
pub(crate) use plugin::Plugins;
pub use plugin::{AdmissionPlugin, UnknownPlugin};
pub(crate) use quota::{Charges, QuotaRules, Scope};
pub(crate) use rights::{Grants, ParamRights, Rights, SignerRight};
pub(crate) use status::StatusRules;
pub(crate) use subresource::{
    Change, Claims, Connect, ConnectTo, PartRules, Post, PostContext, Posted, Prepare, Serves, Subresource,
};
pub(crate) use written::{Touched, Written};

/// The validation errors so far.
pub(crate) type Errors = Vec<FieldError>;

/// Sets missing fields to their defaults.
pub(crate) type Default = fn(&mut Map<Json>);
/// Sets the fields of a new object that depend on other objects, or refuses it.
pub(crate) type Admit = fn(&mut Unstructured, &dyn WriteContext) -> Result<(), ApiError>;
/// Sets the fields of a new object that depend on the request.
pub(crate) type Complete = fn(&mut Unstructured, &dyn WriteContext);
/// Refuses a valid write, as the validating admission plugins of the real server do.
pub(crate) type CheckAdmission = fn(&Written<'_>, &dyn WriteContext) -> Result<(), ApiError>;
/// Allocates values that must be unique among the objects of the kind. The second object is the old one, if any.
pub(crate) type Allocate =
    fn(&mut Unstructured, Option<&Unstructured>, &dyn WriteContext) -> Result<(), ApiError>;
/// Changes JSON text.
pub(crate) type Rewrite = fn(&[u8]) -> Vec<u8>;
/// Changes JSON text; `None` leaves it unchanged.
pub(crate) type RewriteAnswer = fn(&[u8]) -> Option<Vec<u8>>;
/// Paths of fields.
pub(crate) type Paths = &'static [&'static [&'static str]];

/// The rules of a kind: an entry in the table of [`super::find`].
///
/// An entry lists the differences from [`KindRules::DEFAULT`]. No function blocks. Each may be called again with
/// the same object, because a request runs again when a webhook has responded.
// Each flag is a separate fact, named as in the real server.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindRules {
    /// The group; empty for the core group.
    pub(crate) group: &'static str,
    pub(crate) plural: &'static str,

    /// The rule for its names.
    pub(crate) name: NameRule,
    /// The changes that increase `metadata.generation`.
    pub(crate) generation: Generation,
    /// Whether an update creates an object that does not exist.
    pub(crate) create_on_update: bool,
    /// Whether an update may omit `metadata.resourceVersion`.
    pub(crate) unconditional_update: bool,
    /// Whether finalizers may have names without a domain.
    pub(crate) plain_finalizers: bool,
    /// Whether admission webhooks never review it.
    pub(crate) exempt_from_webhooks: bool,
    /// Whether an object is the namespace of its name.
    pub(crate) is_namespace: bool,
    /// Whether objects expire.
    pub(crate) expires: bool,
    /// Fields of the spec that are dropped unless another resource is served.
    pub(crate) feature: Option<Feature>,
    /// The version in which the real server stores it, if that is not the served one. Discovery has a hash of it.
    pub(crate) stored_version: Option<&'static str>,
    /// The conversion, if the served version differs from the stored one.
    pub(crate) conversion: Option<&'static Conversion>,

    /// The selectable fields in addition to name and namespace.
    pub(crate) fields: &'static [SelectableField],
    /// Whether the error about an unknown field label has the common text.
    pub(crate) own_labels: bool,
    /// The columns of a table.
    pub(crate) columns: Option<&'static [Column]>,
    /// The warning for every client of the kind.
    pub(crate) deprecated: Option<&'static str>,
    /// Adds to an object's JSON what its type does not encode.
    pub(crate) rewrite_json: Option<Rewrite>,
    /// As `rewrite_json`, for the response with a single object, not for lists. `None` changes nothing.
    pub(crate) rewrite_answer: Option<RewriteAnswer>,
    /// The fields that a write can't change, if that is not only `status`.
    pub(crate) resets: Option<Paths>,
    /// Whether a scale's selector is a plain map of labels.
    pub(crate) plain_selector: bool,
    /// Whether service account tokens can be bound to its objects.
    pub(crate) binds_tokens: bool,
    /// Its subresources in addition to `status`.
    pub(crate) subresources: &'static [Subresource],
    /// The objects, if they are computed and not stored.
    pub(crate) computed: Option<fn() -> Vec<Json>>,
    /// The action of a create, instead of storing the object.
    pub(crate) action: Option<Action>,
    /// The work of controllers directly after a write.
    pub(crate) follow_up: Option<FollowUp>,

    /// The rules for its status.
    pub(crate) status: StatusRules,
    /// The rules for its deletion.
    pub(crate) delete: DeleteRules,
    /// The rights that a write needs in addition to those on the resource.
    pub(crate) rights: Rights,
    /// The resources that quotas count.
    pub(crate) quota: QuotaRules,

    /// Sets defaults. It is idempotent.
    pub(crate) defaults: Default,
    /// Sets the fields of a new object that depend on other objects, before the mutating webhooks. It is idempotent.
    pub(crate) admit: Option<Admit>,
    /// Sets the fields of a new object that depend on the request, after the mutating webhooks.
    pub(crate) complete: Option<Complete>,
    /// Sets the fields of a new object that only the server sets, after the common preparation.
    pub(crate) prepare_create: fn(&mut Unstructured, Time),
    /// Sets or keeps the fields that an update can't change: the new object, the old one.
    pub(crate) prepare_update: fn(&mut Unstructured, &Unstructured),
    /// Validates an object on every write.
    pub(crate) validate: fn(&Unstructured, &mut Errors),
    /// Validates a new object, in addition to `validate`.
    pub(crate) validate_create: fn(&Unstructured, &mut Errors),
    /// Validates a change: the new object, the old one.
    pub(crate) validate_update: fn(&Unstructured, &Unstructured, &mut Errors),
    /// The warnings for a write: the new object, the old one.
    pub(crate) warnings: fn(&Unstructured, Option<&Unstructured>) -> Vec<String>,
    /// Refuses a valid write, before the validating webhooks.
    pub(crate) check_admission: Option<CheckAdmission>,
    /// Allocates unique values. Writes of such a kind are serialized.
    pub(crate) allocate: Option<Allocate>,
}

impl KindRules {
    /// The rules of a kind without an entry: only its type is known.
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
        stored_version: None,
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
        computed: None,
        action: None,
        follow_up: None,
        status: StatusRules::DEFAULT,
        delete: DeleteRules::DEFAULT,
        rights: Rights::DEFAULT,
        quota: QuotaRules::DEFAULT,
        defaults: |_| {},
        admit: None,
        complete: None,
        prepare_create: |_, _| {},
        prepare_update: |_, _| {},
        validate: |_, _| {},
        validate_create: |_, _| {},
        validate_update: |_, _, _| {},
        warnings: |_, _| Vec::new(),
        check_admission: None,
        allocate: None,
    };

    /// Checks a name of an object, and returns the violations of its rule.
    pub(crate) fn check_name(&self, object: &Unstructured, name: &str, name_use: NameUse) -> Vec<String> {
        match self.name {
            NameRule::Subdomain => violations(validation::name_is_dns_subdomain(name, name_use)),
            NameRule::Label => violations(validation::name_is_dns_label(name, name_use)),
            NameRule::PathSegment => violations(validation::name_is_path_segment(name, name_use)),
            NameRule::Own(check) => check(object, name, name_use),
        }
    }

    /// The subresource of a name, except `status`.
    pub(crate) fn subresource(&self, name: &str) -> Option<&'static Subresource> {
        self.subresources.iter().find(|known| known.name == name)
    }
}

/// The rules of a served resource: the table entry of a built-in kind, or the entry of a custom resource
/// definition.
///
/// It dereferences to the entry. Its own methods are the steps to which a definition contributes.
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
    /// The definition of a custom resource.
    pub(crate) fn custom(&self) -> Option<&Arc<Custom>> {
        match self {
            Self::BuiltIn(_) => None,
            Self::Custom(custom) => Some(custom),
        }
    }

    /// The reason why no object can be created, if the kind no longer accepts any.
    pub(crate) fn closed(&self) -> Option<&'static str> {
        let terminating = self.custom().is_some_and(|custom| custom.terminating);
        terminating.then_some("create not allowed while custom resource definition is terminating")
    }

    /// Validates a new object.
    pub(crate) fn check_create(&self, object: &Unstructured, errors: &mut Errors) {
        match self {
            Self::BuiltIn(rules) => {
                (rules.validate_create)(object, errors);
                (rules.validate)(object, errors);
            }
            Self::Custom(custom) => errors.extend(custom.check(object, None)),
        }
    }

    /// Validates a change of an object.
    pub(crate) fn check_update(&self, new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
        match self {
            Self::BuiltIn(rules) => {
                (rules.validate)(new, errors);
                (rules.validate_update)(new, old, errors);
            }
            Self::Custom(custom) => errors.extend(custom.check(new, Some(old))),
        }
    }

    /// Validates a change of an object's status.
    pub(crate) fn check_status(&self, new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
        match self {
            Self::BuiltIn(rules) => (rules.status.validate)(new, old, errors),
            Self::Custom(custom) => errors.extend(custom.check_status(new, old)),
        }
    }

    /// The warning for every client of the version.
    pub(crate) fn deprecation(&self) -> Option<&str> {
        match self {
            Self::BuiltIn(rules) => rules.deprecated,
            Self::Custom(custom) => custom.warning.as_deref(),
        }
    }

    /// The columns of a table, without those of a definition. A kind without its own columns has name and creation.
    pub(crate) fn columns(&self) -> &'static [Column] {
        self.columns.unwrap_or(columns::DEFAULT)
    }
}

/// The rule for names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NameRule {
    Subdomain,
    Label,
    PathSegment,
    /// A rule of the kind. The function returns the violations of a name of an object.
    Own(fn(&Unstructured, &str, NameUse) -> Vec<String>),
}

/// The texts of violated rules.
pub(crate) fn violations(checked: validation::Result) -> Vec<String> {
    checked.err().into_iter().flatten().map(|why| why.to_string()).collect()
}

/// The changes that increase `metadata.generation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generation {
    /// It is not set.
    None,
    /// It starts at 1 and increases with every change outside of the metadata.
    Content,
    /// It starts at 1 and increases when one of these fields changes.
    With(Paths),
}

impl Generation {
    /// It starts at 1 and increases when the spec changes.
    pub(crate) const SPEC: Self = Self::With(&[&["spec"]]);
}

/// Fields of the spec that belong to a feature. The feature is on if another resource of the group is served.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    /// The plural name of the resource.
    pub(crate) resource: &'static str,
    pub(crate) fields: &'static [&'static str],
}
