//! The table entry of a kind: facts, and the functions that the registry calls while one of its objects lives.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::validation::{self, NameUse};
use client_rs_machinery::{ApiError, FieldError, Json, Map, Time, Unstructured};

use super::columns::{self, Column};
use super::conversion::Conversion;
use crate::custom::Custom;

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
/// How long a delete waits.
pub(crate) type GracePeriod = fn(&Unstructured, &DeleteOptions) -> Grace;

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
    /// Whether a delete answers with the object instead of a `Status`.
    pub(crate) returns_deleted: bool,
    /// What becomes of dependents when a delete does not say.
    pub(crate) dependents: Dependents,
    /// Whether finalizers may have names without a domain.
    pub(crate) plain_finalizers: bool,
    /// Whether the author of a new object may say its status, although that is a subresource.
    pub(crate) keeps_new_status: bool,
    /// Whether admission webhooks are never asked about it.
    pub(crate) exempt_from_webhooks: bool,
    /// Whether an object is the namespace of its own name.
    pub(crate) is_namespace: bool,
    /// Whether an object defines a kind that is then served.
    pub(crate) defines_kinds: bool,
    /// Whether an object says that another server serves a version of a group.
    pub(crate) delegates_group: bool,
    /// Whether the spec says who created the object.
    pub(crate) records_author: bool,
    /// Whether objects go by themselves after a time.
    pub(crate) expires: bool,
    /// Fields of the spec that are not kept unless some other resource is served.
    pub(crate) feature: Option<Feature>,
    /// The finalizer that holds an object which others use, where a controller looks after that.
    pub(crate) protection: Option<&'static str>,
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
    /// What a write of a subresource (`""` for the object itself) has no say in, where that is not what most kinds have:
    /// `status`, or for the status `spec`.
    pub(crate) resets: &'static [(&'static str, Paths)],
    /// Whether writes of the status have no say in the metadata either.
    pub(crate) status_resets_metadata: bool,
    /// Whether a scale's selector is the labels themselves.
    pub(crate) plain_selector: bool,
    /// Whether the token of a service account can be bound to an object.
    pub(crate) binds_tokens: bool,
    /// The rights that an object gives to others. Its author must hold them.
    pub(crate) grants: Option<Grants>,
    /// The rights that a write needs for the signer that an object names.
    pub(crate) signers: &'static [SignerRight],
    /// Subresources by which a request goes on to a pod, a service or a node.
    pub(crate) connects: &'static [Connect],
    /// Subresources that change a part of the object, besides `status`.
    pub(crate) subresources: &'static [Subresource],
    /// What creating one does instead of storing it.
    pub(crate) action: Option<Action>,

    /// Fills in defaults. Doing it twice changes nothing more.
    pub(crate) defaults: Default,
    /// What other objects say about a new one.
    pub(crate) admit: Option<Admit>,
    /// Sets what only the server says in a new object, after the common preparation.
    pub(crate) prepare_create: fn(&mut Unstructured, Time),
    /// Sets or keeps what an update may not change: the new object, the old one.
    pub(crate) prepare_update: fn(&mut Unstructured, &Unstructured),
    /// As `prepare_update`, for an update of the status.
    pub(crate) prepare_status: fn(&mut Unstructured, &Unstructured),
    /// What is wrong with an object that is to be written.
    pub(crate) validate: fn(&Unstructured, &mut Errors),
    /// What is wrong with a new object and would be accepted later.
    pub(crate) validate_create: fn(&Unstructured, &mut Errors),
    /// What is wrong with a change: the new object, the old one.
    pub(crate) validate_update: fn(&Unstructured, &Unstructured, &mut Errors),
    /// What is wrong with a change of the status: the new object, the old one.
    pub(crate) validate_status: fn(&Unstructured, &Unstructured, &mut Errors),
    /// What the author of an object is warned of: the new object, the old one.
    pub(crate) warnings: fn(&Unstructured, Option<&Unstructured>) -> Vec<String>,
    /// What no other object of the kind may have. Writes of such a kind happen one after another.
    pub(crate) allocate: Option<Allocate>,

    /// Refuses to delete objects with some names.
    pub(crate) may_delete: fn(&str) -> Result<(), ApiError>,
    /// Begins a delete in the kind's own way; `None` for the common one.
    pub(crate) begin_delete: fn(&mut Unstructured, Time) -> Option<DeletePlan>,
    /// The grace period of a delete. Watches of such a kind see the deletion before the end.
    pub(crate) grace: Option<GracePeriod>,
    /// Whether something besides finalizers holds an object that is being deleted.
    pub(crate) is_held: fn(&Unstructured) -> bool,
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
        returns_deleted: false,
        dependents: Dependents::Delete,
        plain_finalizers: false,
        keeps_new_status: false,
        exempt_from_webhooks: false,
        is_namespace: false,
        defines_kinds: false,
        delegates_group: false,
        records_author: false,
        expires: false,
        feature: None,
        protection: None,
        conversion: None,
        fields: &[],
        own_labels: false,
        columns: None,
        deprecated: None,
        rewrite_json: None,
        rewrite_answer: None,
        resets: &[],
        status_resets_metadata: false,
        plain_selector: false,
        binds_tokens: false,
        grants: None,
        signers: &[],
        connects: &[],
        subresources: &[],
        action: None,
        defaults: |_| {},
        admit: None,
        prepare_create: |_, _| {},
        prepare_update: |_, _| {},
        prepare_status: |_, _| {},
        validate: |_, _| {},
        validate_create: |_, _| {},
        validate_update: |_, _, _| {},
        validate_status: |_, _, _| {},
        warnings: |_, _| Vec::new(),
        allocate: None,
        may_delete: |_| Ok(()),
        begin_delete: |_, _| None,
        grace: None,
        is_held: |_| false,
    };

    /// Whether a name is one that the kind accepts.
    pub(crate) fn check_name(&self, name: &str, name_use: NameUse) -> validation::Result {
        match self.name {
            NameRule::Subdomain => validation::name_is_dns_subdomain(name, name_use),
            NameRule::Label => validation::name_is_dns_label(name, name_use),
            NameRule::PathSegment => validation::name_is_path_segment(name, name_use),
        }
    }

    /// Where requests for a subresource go on, if they do.
    pub(crate) fn connect(&self, subresource: &str) -> Option<&'static Connect> {
        self.connects.iter().find(|known| known.subresource == subresource)
    }

    /// The subresource of a name, if it changes a part of the object.
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
            Self::BuiltIn(rules) => (rules.validate_status)(new, old, errors),
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

/// What the rules of a kind may ask for while one of its objects is written.
pub(crate) trait WriteContext {
    /// Another object, by group and plural name of its resource.
    fn find(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Unstructured>;
    /// Shows all objects of a resource.
    fn each(&self, group: &str, plural: &str, see: &mut dyn FnMut(&Unstructured));
    /// Whether the server puts into namespaces what a cluster's controllers would.
    fn populates(&self) -> bool;
    /// Five random characters for a purpose: the same ones when the request is run again.
    fn suffix(&self, purpose: &str) -> String;
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

/// What becomes of dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependents {
    Delete,
    Orphan,
    /// The kind is never an owner.
    Ignore,
}

/// Fields of the spec that belong to a feature, which is on when another resource of the group is served.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    /// The plural name of the resource.
    pub(crate) resource: &'static str,
    pub(crate) fields: &'static [&'static str],
}

/// A subresource that changes a part of its object.
#[derive(Debug)]
pub(crate) struct Subresource {
    pub(crate) name: &'static str,
    /// Takes everything else from the old object: the new object, the old one, the time.
    pub(crate) prepare: fn(&mut Unstructured, &Unstructured, Time),
}

/// A subresource by which a request goes on to something else.
#[derive(Debug)]
pub(crate) struct Connect {
    pub(crate) subresource: &'static str,
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

/// What creating an object does, where it is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A pod is bound to a node.
    BindPod,
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

/// What a delete does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeletePlan {
    /// It is being deleted already.
    Nothing,
    /// It is marked and stays for now.
    Hold,
    /// It goes.
    Delete,
}

/// How long a delete waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grace {
    /// Not at all.
    None,
    /// This many seconds, from a first request or a shorter one.
    Seconds(i64),
    /// The object is being deleted already.
    Pending,
}

/// A field that a selector knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectableField {
    /// Its name in selectors.
    pub(crate) label: &'static str,
    /// Where it is.
    pub(crate) path: &'static [&'static str],
    /// Its text when it is absent.
    pub(crate) absent: &'static str,
}

impl SelectableField {
    pub(crate) const fn text(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, absent: "" }
    }

    pub(crate) const fn number(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, absent: "0" }
    }

    pub(crate) const fn boolean(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, absent: "false" }
    }
}
