//! Prevents privilege escalation: nobody can grant rights that they do not hold.

use client_rs_machinery::{ApiError, Json, Unstructured};

use super::attributes::{Attributes, ResourceAttributes};
use super::rbac::{self, GROUP, Rbac};
use super::rule::Rule;
use crate::kinds::Grants;
use crate::registry::Served;
use crate::request::User;

/// Refuses a role or a binding that grants more than its author holds, unless the author has the right to escalate.
/// `old` is the object that it replaces.
pub(crate) fn check(
    rbac: Rbac<'_>,
    user: &User,
    served: &Served,
    old: Option<&Unstructured>,
    object: &Unstructured,
) -> Result<(), ApiError> {
    let (namespace, empty) = (object.namespace(), Json::Null);
    let (verb, resource, name, granted) = match served.rules.rights.grants {
        None => return Ok(()),
        Some(Grants::OwnRules | Grants::Aggregated) => {
            ("escalate", served.info.plural.as_str(), object.name(), rbac::own_rules(object))
        }
        Some(Grants::RoleRef) => {
            let role = object.object.get("roleRef").unwrap_or(&empty);
            let plural = if role["kind"].as_str() == Some("ClusterRole") { "clusterroles" } else { "roles" };
            ("bind", plural, role["name"].as_str().unwrap_or_default(), rbac.role_rules(role, namespace))
        }
    };
    let may = Attributes {
        verb: verb.to_owned(),
        resource: Some(ResourceAttributes {
            group: GROUP.to_owned(),
            resource: resource.to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            ..ResourceAttributes::default()
        }),
        path: String::new(),
    };
    let held = rbac.rules(user, namespace);
    let missing = missing(&held, &granted);
    // A role with an aggregation rule can gain any rule later. So its author needs every right, also to remove the
    // aggregation rule.
    let aggregates = served.rules.rights.grants == Some(Grants::Aggregated)
        && old.into_iter().chain([object]).any(|role| !is_empty(role.object.get("aggregationRule")));
    let lacks_all = || aggregates && !self::missing(&held, &Rule::everything()).is_empty();
    if (missing.is_empty() && !lacks_all()) || rbac.decide(user, &may).allowed {
        return Ok(());
    }
    if missing.is_empty() {
        let why = "must have cluster-admin privileges to use an aggregationRule";
        return Err(ApiError::forbidden(&served.group_resource(), object.name(), why));
    }
    let groups: Vec<String> = user.groups.iter().map(|group| format!("{group:?}")).collect();
    let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let why = format!(
        "user {:?} (groups=[{}]) is attempting to grant RBAC permissions not currently held:\n{}",
        user.name,
        groups.join(" "),
        missing.join("\n")
    );
    Err(ApiError::forbidden(&served.group_resource(), object.name(), why))
}

fn is_empty(value: Option<&Json>) -> bool {
    value.is_none_or(Json::is_null)
}

/// The granted rules that are not held. Verbs on the same resource are combined into one rule.
fn missing(held: &[Rule], granted: &[Rule]) -> Vec<Rule> {
    let mut missing: Vec<Rule> = Vec::new();
    for piece in granted.iter().flat_map(Rule::pieces) {
        if held.iter().any(|rule| rule.covers(&piece)) {
            continue;
        }
        let same = |known: &&mut Rule| {
            (&known.groups, &known.resources, &known.names, &known.paths)
                == (&piece.groups, &piece.resources, &piece.names, &piece.paths)
        };
        match missing.iter_mut().find(same) {
            Some(known) if !known.verbs.contains(&piece.verbs[0]) => known.verbs.extend(piece.verbs),
            Some(_) => {}
            None => missing.push(piece),
        }
    }
    for rule in &mut missing {
        rule.verbs.sort();
    }
    missing.sort_by_cached_key(ToString::to_string);
    missing
}
