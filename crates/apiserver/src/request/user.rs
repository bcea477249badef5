//! Who asks.

use std::collections::BTreeMap;
use std::fmt;

use client_rs_machinery::{Json, Map, Str, json};

pub(crate) use crate::kinds::rbac::MASTERS;

/// The group of those who have shown who they are.
pub(crate) const AUTHENTICATED: &str = "system:authenticated";
/// The group of those who have not.
pub(crate) const UNAUTHENTICATED: &str = "system:unauthenticated";
/// The name of someone who has not.
pub(crate) const ANONYMOUS: &str = "system:anonymous";
/// Where it is told by which credential someone is known.
pub(crate) const CREDENTIAL_ID: &str = "authentication.kubernetes.io/credential-id";

const SERVICE_ACCOUNT: &str = "system:serviceaccount:";

/// A user of the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// The name, such as `jane` or `system:serviceaccount:shop:web`.
    pub name: String,
    /// What tells two users of one name apart in time; often empty.
    pub uid: String,
    /// The groups. `system:masters` may do everything.
    pub groups: Vec<String>,
    /// What else is known of the user.
    pub extra: BTreeMap<String, Vec<String>>,
}

impl User {
    /// A user in groups.
    pub fn new<G: Into<String>>(name: impl Into<String>, groups: impl IntoIterator<Item = G>) -> Self {
        Self { name: name.into(), groups: groups.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Whom a server sees that asks nobody who they are.
    pub(crate) fn unsecured() -> Self {
        Self::new("system:unsecured", [MASTERS, AUTHENTICATED])
    }

    pub(crate) fn anonymous() -> Self {
        Self::new(ANONYMOUS, [UNAUTHENTICATED])
    }

    /// The service account of a name in a namespace, as the roles of a cluster know it.
    pub fn service_account(namespace: &str, name: &str) -> Self {
        let groups = service_account_groups(namespace).to_vec();
        let name = format!("{SERVICE_ACCOUNT}{namespace}:{name}");
        Self { name, groups, ..Self::default() }
    }

    /// The namespace and the name of the service account that this user is.
    pub(crate) fn as_service_account(name: &str) -> Option<(&str, &str)> {
        name.strip_prefix(SERVICE_ACCOUNT)?.split_once(':')
    }

    pub(crate) fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|own| own == group)
    }

    /// With the group of those who have shown who they are.
    pub(crate) fn authenticated(mut self) -> Self {
        if !self.is_in(AUTHENTICATED) {
            self.groups.push(AUTHENTICATED.to_owned());
        }
        self
    }

    /// As the API tells of a user.
    pub(crate) fn to_json(&self) -> Json {
        let mut told = Map::new();
        told.insert("username", Json::from(self.name.as_str()));
        if !self.uid.is_empty() {
            told.insert("uid", Json::from(self.uid.as_str()));
        }
        if !self.groups.is_empty() {
            told.insert("groups", json!(self.groups.clone()));
        }
        if !self.extra.is_empty() {
            let extra: Map<Json> = self
                .extra
                .iter()
                .map(|(key, values)| (Str::from(key.as_str()), json!(values.clone())))
                .collect();
            told.insert("extra", Json::Map(extra));
        }
        Json::Map(told)
    }

    /// As the API names a user whose rights are asked for.
    pub(crate) fn from_json(spec: &Json) -> Self {
        let text = |key: &str| spec[key].as_str().unwrap_or_default().to_owned();
        let extra = spec["extra"].as_map().into_iter().flatten();
        Self {
            name: text("user"),
            uid: text("uid"),
            groups: texts(&spec["groups"]),
            extra: extra.map(|(key, values)| (key.as_str().to_owned(), texts(values))).collect(),
        }
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The groups that a service account is in by being one.
pub(crate) fn service_account_groups(namespace: &str) -> [String; 2] {
    ["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")]
}

/// The strings of a list.
pub(crate) fn texts(list: &Json) -> Vec<String> {
    list.as_list().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}
