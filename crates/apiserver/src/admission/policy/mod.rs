//! Admission policies: expressions in CEL that the server evaluates itself.
//!
//! A policy selects requests, a binding selects parameters and says what follows. Both are compiled once, and again
//! when one of them changes: a policy is in effect when the response to its create arrives.

mod activation;
mod authorizer;
mod mutating;
mod params;
mod patches;
mod validating;

use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Json, Unstructured};

use super::criteria::{Criteria, selector, texts};
use crate::kinds::AdmissionPlugin;
use crate::kinds::admissionregistration::{Expressions, Use};
use crate::registry::{ListRequest, Registry, Selection};

pub(super) use activation::{Activation, Compiled, Inputs, MATCH_BUDGET};

const GROUP: &str = "admissionregistration.k8s.io";
/// The resources of policies and bindings.
const PLURALS: [&str; 4] = [
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
];

/// The policies that have bindings, sorted by name.
#[derive(Debug, Default)]
pub(super) struct Policies {
    /// The revisions of the latest writes to each resource.
    revisions: [u64; 4],
    pub(super) validating: Vec<Arc<Policy>>,
    pub(super) mutating: Vec<Arc<Policy>>,
}

/// A policy with its bindings.
#[derive(Debug)]
pub(super) struct Policy {
    name: String,
    criteria: Criteria,
    /// The version and kind of the parameters.
    param_kind: Option<(String, String)>,
    /// Whether errors are ignored.
    ignores_failure: bool,
    conditions: Vec<Compiled>,
    variables: Vec<Variable>,
    validations: Vec<Validation>,
    annotations: Vec<Annotation>,
    mutations: Vec<Mutation>,
    /// Whether it is invoked again when the object changes after it.
    reinvoked: bool,
    bindings: Vec<Binding>,
}

/// A variable of a policy.
#[derive(Debug)]
pub(super) struct Variable {
    name: String,
    value: Compiled,
}

/// A validation of a policy.
#[derive(Debug)]
struct Validation {
    condition: Compiled,
    message: String,
    message_expression: Option<Compiled>,
    reason: String,
}

/// An audit annotation of a policy.
#[derive(Debug)]
struct Annotation {
    key: String,
    value: Compiled,
}

/// A mutation of a policy.
#[derive(Debug)]
enum Mutation {
    ApplyConfiguration(Compiled),
    JsonPatch(Compiled),
}

/// A binding of a policy.
#[derive(Debug)]
struct Binding {
    name: String,
    /// The requests that it is for; `None` for all that its policy is for.
    criteria: Option<Criteria>,
    params: Option<ParamRef>,
    actions: Vec<Action>,
}

/// The reference of a binding to parameters.
#[derive(Debug)]
struct ParamRef {
    name: String,
    namespace: String,
    selector: Selector,
    /// Whether missing parameters refuse the request.
    required: bool,
}

/// The consequence of a validation that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Deny,
    Warn,
    Audit,
}

impl Action {
    fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "Deny",
            Self::Warn => "Warn",
            Self::Audit => "Audit",
        }
    }
}

impl Policies {
    /// The current policies; `None` if `known` is up to date.
    pub(super) fn newer(known: &Self, registry: &Registry) -> Option<Self> {
        let revisions = PLURALS.map(|plural| registry.latest(GROUP, plural));
        if revisions == known.revisions {
            return None;
        }
        let all = |plural: &str| {
            let served = registry.catalog().find(GROUP, "v1", plural);
            served.map(|served| {
                let everything = Selection::default();
                let listing = registry.list(&served, &ListRequest::all("", &everything));
                listing.map(|listing| listing.items).unwrap_or_default()
            })
        };
        let bound = |plugin: AdmissionPlugin, policies: &str, bindings: &str| {
            if !registry.options().runs(plugin) {
                return Vec::new();
            }
            let bindings = all(bindings).unwrap_or_default();
            let policies = all(policies).unwrap_or_default();
            let policies = policies.iter().filter_map(|policy| {
                let own = bindings.iter().map(|binding| &binding.object);
                let own = own.filter(|binding| policy_of(binding) == policy.object.name());
                let own: Vec<Binding> = own.map(Binding::read).collect();
                (!own.is_empty()).then(|| Arc::new(Policy::read(&policy.object, own)))
            });
            policies.collect()
        };
        let [validating, validating_bindings, mutating, mutating_bindings] = PLURALS;
        Some(Self {
            revisions,
            validating: bound(AdmissionPlugin::ValidatingAdmissionPolicy, validating, validating_bindings),
            mutating: bound(AdmissionPlugin::MutatingAdmissionPolicy, mutating, mutating_bindings),
        })
    }
}

fn policy_of(binding: &Unstructured) -> &str {
    binding.nested_str(&["spec", "policyName"]).ok().flatten().unwrap_or_default()
}

impl Policy {
    fn read(policy: &Unstructured, bindings: Vec<Binding>) -> Self {
        let empty = Json::Null;
        let spec = policy.object.get("spec").unwrap_or(&empty);
        let list = |key: &str| spec[key].as_list().into_iter().flatten();
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let kind = &spec["paramKind"];
        let mut expressions = Expressions::with_variables(!kind.is_null());
        let mut variables: Vec<Variable> = Vec::new();
        for variable in list("variables") {
            let (name, expression) = (text(&variable["name"]), text(&variable["expression"]));
            let program = expressions.declare(&name, &expression);
            let value = Compiled::new(expression, program, &variables);
            variables.push(Variable { name, value });
        }
        let compiled = |value: &Json, to: Use| {
            let expression = text(value);
            let program = expressions.compile(&expression, to);
            Compiled::new(expression, program, &variables)
        };
        let validation = |validation: &Json| Validation {
            condition: compiled(&validation["expression"], Use::Condition),
            message: text(&validation["message"]),
            message_expression: validation["messageExpression"]
                .as_str()
                .filter(|expression| !expression.is_empty())
                .map(|_| compiled(&validation["messageExpression"], Use::Message)),
            reason: text(&validation["reason"]),
        };
        let annotation = |annotation: &Json| Annotation {
            key: text(&annotation["key"]),
            value: compiled(&annotation["valueExpression"], Use::Annotation),
        };
        let mutation = |mutation: &Json| {
            let expression = |key: &str| &mutation[key]["expression"];
            if mutation["patchType"].as_str() == Some("JSONPatch") {
                Mutation::JsonPatch(compiled(expression("jsonPatch"), Use::JsonPatch))
            } else {
                Mutation::ApplyConfiguration(compiled(
                    expression("applyConfiguration"),
                    Use::ApplyConfiguration,
                ))
            }
        };
        Self {
            name: policy.name().to_owned(),
            criteria: Criteria::of_resources(&spec["matchConstraints"]),
            param_kind: (!kind.is_null()).then(|| (text(&kind["apiVersion"]), text(&kind["kind"]))),
            ignores_failure: spec["failurePolicy"].as_str() == Some("Ignore"),
            conditions: list("matchConditions")
                .map(|condition| compiled(&condition["expression"], Use::Condition))
                .collect(),
            validations: list("validations").map(validation).collect(),
            annotations: list("auditAnnotations").map(annotation).collect(),
            mutations: list("mutations").map(mutation).collect(),
            reinvoked: spec["reinvocationPolicy"].as_str() == Some("IfNeeded"),
            variables,
            bindings,
        }
    }
}

impl Binding {
    fn read(binding: &Unstructured) -> Self {
        let empty = Json::Null;
        let spec = binding.object.get("spec").unwrap_or(&empty);
        let resources = &spec["matchResources"];
        let actions = texts(&spec["validationActions"]);
        let action = |name: &String| match name.as_str() {
            "Deny" => Some(Action::Deny),
            "Warn" => Some(Action::Warn),
            "Audit" => Some(Action::Audit),
            _ => None,
        };
        Self {
            name: binding.name().to_owned(),
            criteria: (!resources.is_null()).then(|| Criteria::of_resources(resources)),
            params: (!spec["paramRef"].is_null()).then(|| ParamRef::read(&spec["paramRef"])),
            actions: actions.iter().filter_map(action).collect(),
        }
    }
}

impl ParamRef {
    fn read(reference: &Json) -> Self {
        let text = |key: &str| reference[key].as_str().unwrap_or_default().to_owned();
        Self {
            name: text("name"),
            namespace: text("namespace"),
            selector: selector(&reference["selector"]),
            required: reference["parameterNotFoundAction"].as_str() == Some("Deny"),
        }
    }
}
