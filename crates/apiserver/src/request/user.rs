//! Users.

use std::fmt;

use client_rs_machinery::{Json, Map, Str, collections::VecMap, json};

pub(crate) use crate::kinds::rbac::MASTERS;

/// The group of authenticated users.
pub(crate) const AUTHENTICATED: &str = "system:authenticated";
/// The group of unauthenticated users.
pub(crate) const UNAUTHENTICATED: &str = "system:unauthenticated";
/// The name of an unauthenticated user.
pub(crate) const ANONYMOUS: &str = "system:anonymous";
/// The key of the credential's identifier in the user's extra fields.
pub(crate) const CREDENTIAL_ID: &str = "authentication.kubernetes.io/credential-id";

const SERVICE_ACCOUNT: &str = "system:serviceaccount:";

client_rs_machinery::options! {
    /// A user of the API, for [`Server::rest_client_as`](crate::Server::rest_client_as),
    /// [`Server::add_token`](crate::Server::add_token) and
    /// [`Server::issue_certificate`](crate::Server::issue_certificate).
    ///
    /// It is only an identity. [`ServerOptions::access`](crate::ServerOptions::access) and role bindings decide
    /// about its rights. The server adds the group `system:authenticated`.
    ///
    /// ```
    /// use client_rs_apiserver::User;
    ///
    /// let jane = User::new("jane", ["developers"]);
    /// assert_eq!(jane.groups, ["developers"]);
    ///
    /// let web = User::service_account("shop", "web");
    /// assert_eq!(web.to_string(), "system:serviceaccount:shop:web");
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct User {
        /// The name, such as `jane` or `system:serviceaccount:shop:web`.
        pub name: String => with_name,
        /// Distinguishes users that had the same name at different times; often empty.
        pub uid: String => with_uid,
        /// The groups. `system:masters` may do everything.
        pub groups: Vec<String> => with_groups,
        /// Additional attributes of the user.
        pub extra: VecMap<String, Vec<String>> => with_extra,
    }
}

impl User {
    /// Creates a user in these groups.
    pub fn new<G: Into<String>>(name: impl Into<String>, groups: impl IntoIterator<Item = G>) -> Self {
        Self { name: name.into(), groups: groups.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The user of all requests to a server without authentication.
    pub(crate) fn unsecured() -> Self {
        Self::new("system:unsecured", [MASTERS, AUTHENTICATED])
    }

    pub(crate) fn anonymous() -> Self {
        Self::new(ANONYMOUS, [UNAUTHENTICATED])
    }

    /// The user of a service account, in the groups that every service account is in.
    pub fn service_account(namespace: &str, name: &str) -> Self {
        let groups = service_account_groups(namespace).to_vec();
        let name = format!("{SERVICE_ACCOUNT}{namespace}:{name}");
        Self { name, groups, ..Self::default() }
    }

    /// The namespace and the name of a service account; `None` if the name is not that of a service account.
    pub(crate) fn as_service_account(name: &str) -> Option<(&str, &str)> {
        name.strip_prefix(SERVICE_ACCOUNT)?.split_once(':')
    }

    pub(crate) fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|own| own == group)
    }

    /// Adds the group of authenticated users.
    pub(crate) fn authenticated(mut self) -> Self {
        if !self.is_in(AUTHENTICATED) {
            self.groups.push(AUTHENTICATED.to_owned());
        }
        self
    }

    /// The user as API objects contain it.
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

    /// Reads the user of an access review.
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

/// The groups of every service account in a namespace.
pub(crate) fn service_account_groups(namespace: &str) -> [String; 2] {
    ["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")]
}

/// The strings of a list.
pub(crate) fn texts(list: &Json) -> Vec<String> {
    list.as_list().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}
