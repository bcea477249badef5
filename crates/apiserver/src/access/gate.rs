//! The gate that every request passes: first who asks, then whether they may.

use std::sync::Arc;

use client_rs_machinery::{ApiError, ErrorDetails, ErrorStatus, GroupResource, StatusReason};
use http::{HeaderMap, header};

use super::attributes::Attributes;
use super::rbac::{Decision, Rbac};
use super::tokens::{Shown, Tokens};
use crate::registry::Registry;
use crate::request::{ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, User, service_account_groups};

/// Who may do what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// Everyone may do everything. Who shows a credential that the server knows is known by it; anyone else is a
    /// user without a name, and no credential is refused.
    #[default]
    Open,
    /// Every user with a credential that the server knows may do everything. A credential that is not known is refused with
    /// 401, and who shows none may do what roles let an anonymous user do, such as asking for the version.
    Authenticated,
    /// As in a real cluster: a credential that is not known is refused with 401, who shows none is anonymous, and
    /// roles decide, with `system:masters` above them.
    Rbac,
}

/// Decides on requests.
#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) access: Access,
    pub(crate) tokens: Arc<Tokens>,
}

const IMPERSONATE_USER: &str = "impersonate-user";
const IMPERSONATE_GROUP: &str = "impersonate-group";
const IMPERSONATE_UID: &str = "impersonate-uid";
const IMPERSONATE_EXTRA: &str = "impersonate-extra-";

impl Gate {
    pub(crate) fn new(access: Access, tokens: Arc<Tokens>) -> Self {
        Self { access, tokens }
    }

    /// Who asks. `certificate` is the user of the connection's certificate; `unknown_certificate` says that it has one which is
    /// nobody's.
    pub(crate) fn authenticate(
        &self,
        registry: &Registry,
        headers: &HeaderMap,
        certificate: Option<&User>,
        unknown_certificate: bool,
    ) -> Result<User, ApiError> {
        let user = match (certificate, bearer(headers)) {
            (Some(user), _) => user.clone().authenticated(),
            (None, Some(token)) => match self.tokens.user(registry, token) {
                // A token for somebody else's ears is not for ours.
                Some(Shown { user, audiences }) if audiences.iter().any(|one| one == super::ISSUER) => {
                    user.authenticated()
                }
                _ if self.access == Access::Open => User::unsecured(),
                _ => return Err(unauthorized()),
            },
            _ if self.access == Access::Open => User::unsecured(),
            (None, None) if unknown_certificate => return Err(unauthorized()),
            (None, None) => User::anonymous(),
        };
        self.impersonated(registry, headers, user)
    }

    /// Whether a user may do what is asked.
    pub(crate) fn decide(&self, registry: &Registry, user: &User, asked: &Attributes) -> Decision {
        if self.trusts(user) {
            return Decision { allowed: true, reason: String::new() };
        }
        Rbac(registry).decide(user, asked)
    }

    /// Whether a user may do everything, whatever roles say.
    pub(crate) fn trusts(&self, user: &User) -> bool {
        match self.access {
            Access::Open => true,
            Access::Authenticated => user.is_in(AUTHENTICATED),
            Access::Rbac => false,
        }
    }

    /// 403 for what a user may not do.
    pub(crate) fn authorize(
        &self,
        registry: &Registry,
        user: &User,
        asked: &Attributes,
    ) -> Result<(), ApiError> {
        if self.decide(registry, user, asked).allowed { Ok(()) } else { Err(forbidden(user, asked)) }
    }

    fn impersonated(&self, registry: &Registry, headers: &HeaderMap, user: User) -> Result<User, ApiError> {
        let wish = Wish::of(headers)?;
        if wish == User::default() {
            return Ok(user);
        }
        if wish.name.is_empty() {
            return Err(ApiError::internal_error(format_args!(
                "requested {wish:?} without impersonating a user"
            )));
        }
        let may = |asked: &Attributes| self.authorize(registry, &user, asked);
        let account = User::as_service_account(&wish.name);
        match account {
            Some((namespace, name)) => {
                may(&Attributes::impersonate("", "serviceaccounts", "", namespace, name))?;
            }
            None => may(&Attributes::impersonate("", "users", "", "", &wish.name))?,
        }
        for group in &wish.groups {
            may(&Attributes::impersonate("", "groups", "", "", group))?;
        }
        let of_authentication = |sub: &str, resource: &str, name: &str| {
            Attributes::impersonate("authentication.k8s.io", resource, sub, "", name)
        };
        if !wish.uid.is_empty() {
            may(&of_authentication("", "uids", &wish.uid))?;
        }
        for (key, values) in &wish.extra {
            for value in values {
                may(&of_authentication(key, "userextras", value))?;
            }
        }
        let mut other = wish;
        if let (Some((namespace, _)), true) = (account_of(&other.name), other.groups.is_empty()) {
            other.groups = service_account_groups(&namespace).to_vec();
        }
        let group = if other.name == ANONYMOUS { UNAUTHENTICATED } else { AUTHENTICATED };
        if !other.is_in(group) && !other.is_in(UNAUTHENTICATED) {
            other.groups.push(group.to_owned());
        }
        Ok(other)
    }
}

/// Whom someone wishes to be.
struct Wish;

impl Wish {
    fn of(headers: &HeaderMap) -> Result<User, ApiError> {
        let text = |name: &str| {
            headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        let groups = headers.get_all(IMPERSONATE_GROUP).iter().filter_map(|value| value.to_str().ok());
        let mut wish = User::new(text(IMPERSONATE_USER), groups);
        wish.uid = text(IMPERSONATE_UID);
        for (name, value) in headers {
            let Some(key) = name.as_str().strip_prefix(IMPERSONATE_EXTRA) else { continue };
            let key = crate::request::percent_decoded(key);
            let value =
                value.to_str().map_err(|_| ApiError::bad_request(format!("header {name} is no text")))?;
            wish.extra.entry(key).or_default().push(value.to_owned());
        }
        Ok(wish)
    }
}

fn account_of(name: &str) -> Option<(String, String)> {
    User::as_service_account(name).map(|(namespace, name)| (namespace.to_owned(), name.to_owned()))
}

/// The token of a request; an empty one is none.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim();
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// 401.
fn unauthorized() -> ApiError {
    ApiError::new(ErrorStatus {
        code: 401,
        reason: StatusReason::Unauthorized,
        message: "Unauthorized".into(),
        ..ErrorStatus::default()
    })
}

fn forbidden(user: &User, asked: &Attributes) -> ApiError {
    let (user, verb) = (&user.name, &asked.verb);
    let Some(of) = &asked.resource else {
        return ApiError::new(ErrorStatus {
            code: 403,
            reason: StatusReason::Forbidden,
            message: format!("forbidden: User {user:?} cannot {verb} path {:?}", asked.path).into(),
            details: Some(ErrorDetails::default()),
            ..ErrorStatus::default()
        });
    };
    let place = if of.namespace.is_empty() {
        "at the cluster scope".to_owned()
    } else {
        format!("in the namespace {:?}", of.namespace)
    };
    let why = format!(
        "User {user:?} cannot {verb} resource {:?} in API group {:?} {place}",
        of.combined(),
        of.group
    );
    ApiError::forbidden(&GroupResource::new(&of.group, &of.resource), &of.name, why)
}
