//! The resources that quotas count for a kind.

use client_rs_machinery::{Json, Time, Unstructured, collections::VecSet};

use super::Written;
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{list, text};
use crate::object::label_selector;

/// The quota rules of a kind. Every object counts as `count/<resource>`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuotaRules {
    /// Whether quotas ignore the kind.
    pub(crate) ignored: bool,
    /// Another name for the number of objects.
    pub(crate) alias: Option<&'static str>,
    /// The resources in addition to the number of objects.
    pub(crate) charges: Option<&'static Charges>,
}

/// The resources that an object uses, in addition to being counted.
#[derive(Debug)]
pub(crate) struct Charges {
    /// Whether the kind uses the resource of this name.
    pub(crate) has: fn(&str) -> bool,
    /// The usage of an object at this time.
    pub(crate) usage: fn(&Unstructured, Time) -> Amounts,
    /// Whether an update can change the usage.
    pub(crate) on_update: fn(&Written<'_>, &Unstructured) -> bool,
    /// Whether an object is in a scope.
    pub(crate) in_scope: fn(&Scope<'_>, &Unstructured) -> bool,
    /// Refuses an object that does not specify the resources that a quota limits.
    pub(crate) constraints: fn(&VecSet<&str>, &Unstructured) -> Result<(), String>,
}

impl QuotaRules {
    /// Only the number of objects.
    pub(crate) const DEFAULT: Self = Self { ignored: false, alias: None, charges: None };

    /// Quotas ignore the kind.
    pub(crate) const IGNORED: Self = Self { ignored: true, ..Self::DEFAULT };

    /// Only the number of objects, which has another name too.
    pub(crate) const fn counted(alias: &'static str) -> Self {
        Self { alias: Some(alias), ..Self::DEFAULT }
    }

    pub(crate) const fn charges(charges: &'static Charges) -> Self {
        Self { charges: Some(charges), ..Self::DEFAULT }
    }

    /// Whether an object is in all scopes. Objects that are only counted are in no scope.
    pub(crate) fn in_scopes(&self, scopes: &[Scope<'_>], object: &Unstructured) -> bool {
        scopes.iter().all(|scope| self.charges.is_some_and(|charges| (charges.in_scope)(scope, object)))
    }
}

/// A scope of a quota.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) name: &'a str,
    /// The requirement on the value of the scope; `None` if it must only exist.
    requirement: Option<&'a Json>,
}

impl<'a> Scope<'a> {
    /// The scopes of a quota.
    pub(crate) fn of(spec: &'a Json) -> Vec<Self> {
        let plain = list(&spec["scopes"]).map(|name| Self { name: text(name), requirement: None });
        let selected = list(&spec["scopeSelector"]["matchExpressions"]).map(|expression| Self {
            name: text(&expression["scopeName"]),
            requirement: (text(&expression["operator"]) != "Exists").then_some(expression),
        });
        plain.chain(selected).collect()
    }

    /// Whether one of the values is selected. Without values, the scope matches as a label that does not exist.
    pub(crate) fn selects(&self, values: &[&str]) -> bool {
        let Some(expression) = self.requirement else { return !values.is_empty() };
        let selector = client_rs_machinery::json!({"matchExpressions": [{
            "key": self.name, "operator": expression["operator"].clone(), "values": expression["values"].clone(),
        }]});
        let Ok(selector) = label_selector(&selector) else { return false };
        if values.is_empty() {
            return selector.matches(&[] as &[(&str, &str)]);
        }
        values.iter().any(|value| selector.matches(&[(self.name, *value)]))
    }
}
