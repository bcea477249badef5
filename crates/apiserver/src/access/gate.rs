//! Authenticates and authorizes every request.

use std::sync::Arc;

use client_rs_machinery::{ApiError, ErrorDetails, ErrorStatus, GroupResource, StatusReason};
use http::{HeaderMap, header};

use super::attributes::Attributes;
use super::permissions::PermissionLog;
use super::rbac::{Decision, Rbac};
use super::tokens::{Shown, Tokens};
use crate::registry::Registry;
use crate::request::{ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, User, service_account_groups};

/// The authentication and authorization mode of a server: see [`ServerOptions::access`](crate::ServerOptions).
///
/// Use [`Open`](Self::Open) to test code whose rights do not matter, [`Authenticated`](Self::Authenticated) to test
/// credentials, and [`Rbac`](Self::Rbac) to test roles.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::{Access, Server, ServerOptions, User};
/// use client_rs_client::Api;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::start_with(ServerOptions::default().with_access(Access::Rbac)).await?;
///
/// // Bob has no role.
/// let client = server.rest_client_as(User::new("bob", ["developers"]))?;
/// let error = Api::<ConfigMap, _>::within(&client, "default").get("settings").await.unwrap_err();
/// assert!(error.is_forbidden());
///
/// // The default client of a server is in `system:masters`, which may do everything.
/// let client = server.rest_client()?;
/// let error = Api::<ConfigMap, _>::within(&client, "default").get("settings").await.unwrap_err();
/// assert!(error.is_not_found());
/// # server.shutdown().await;
/// # Ok(())
/// # }
/// ```
///
/// Credentials come from [`Server::add_token`](crate::Server::add_token),
/// [`Server::issue_certificate`](crate::Server::issue_certificate) and the tokens of service accounts. Clients in
/// the same process need none: [`Server::rest_client_as`](crate::Server::rest_client_as).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// Every client may do everything. A known credential identifies its user. Every other client is the user
    /// `system:unsecured`, and no credential is refused.
    #[default]
    Open,
    /// Every client with a known credential may do everything. An unknown credential is refused with 401. A client
    /// without a credential is anonymous and has the rights that roles grant to anonymous users, such as reading
    /// the version.
    Authenticated,
    /// Role-based access control, as in a real cluster. An unknown credential is refused with 401, a client without
    /// a credential is anonymous, and roles decide. Members of `system:masters` may do everything.
    Rbac,
}

impl Access {
    /// Whether a user may do what the attributes describe.
    pub(crate) fn decide(self, registry: &Registry, user: &User, asked: &Attributes) -> Decision {
        if self.trusts(user) {
            return Decision { allowed: true, reason: String::new() };
        }
        Rbac(registry).decide(user, asked)
    }

    /// Whether a user may do everything, regardless of roles.
    fn trusts(self, user: &User) -> bool {
        match self {
            Self::Open => true,
            Self::Authenticated => user.is_in(AUTHENTICATED),
            Self::Rbac => false,
        }
    }
}

/// Authenticates and authorizes requests.
#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) access: Access,
    pub(crate) tokens: Arc<Tokens>,
    /// Whether requests without a credential are served, as those of an anonymous user.
    pub(crate) anonymous: bool,
    /// Records the permissions that requests need; `None` if nobody wants to know.
    pub(crate) log: Option<Arc<PermissionLog>>,
}

const IMPERSONATE_USER: &str = "impersonate-user";
const IMPERSONATE_GROUP: &str = "impersonate-group";
const IMPERSONATE_UID: &str = "impersonate-uid";
const IMPERSONATE_EXTRA: &str = "impersonate-extra-";

impl Gate {
    pub(crate) fn new(access: Access, tokens: Arc<Tokens>) -> Self {
        Self { access, tokens, anonymous: true, log: None }
    }

    /// The user of a request. `certificate` is the user of the connection's certificate. `unknown_certificate` is
    /// true if the connection has a certificate that no user owns.
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
                // A token for other audiences does not authenticate here.
                Some(Shown { user, audiences })
                    if audiences.iter().any(|one| self.tokens.audiences().contains(one)) =>
                {
                    user.authenticated()
                }
                _ if self.access == Access::Open => User::unsecured(),
                _ => return Err(unauthorized()),
            },
            _ if self.access == Access::Open => User::unsecured(),
            (None, None) if unknown_certificate || !self.anonymous => return Err(unauthorized()),
            (None, None) => User::anonymous(),
        };
        self.impersonated(registry, headers, user)
    }

    /// Whether a user may do what the attributes describe.
    pub(crate) fn decide(&self, registry: &Registry, user: &User, asked: &Attributes) -> Decision {
        self.access.decide(registry, user, asked)
    }

    /// Whether a user may do everything, regardless of roles.
    pub(crate) fn trusts(&self, user: &User) -> bool {
        self.access.trusts(user)
    }

    /// Returns a 403 error if the user may not send the request.
    pub(crate) fn authorize(
        &self,
        registry: &Registry,
        user: &User,
        asked: &Attributes,
    ) -> Result<(), ApiError> {
        if let Some(log) = &self.log {
            log.note(user, asked);
        }
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

/// Reads the headers that impersonate a user.
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
            let value = value
                .to_str()
                .map_err(|_| ApiError::bad_request(format!("header {name} is not valid text")))?;
            wish.extra.entry(key).or_default().push(value.to_owned());
        }
        Ok(wish)
    }
}

fn account_of(name: &str) -> Option<(String, String)> {
    User::as_service_account(name).map(|(namespace, name)| (namespace.to_owned(), name.to_owned()))
}

/// The bearer token of a request. An empty token counts as missing.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim();
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// The 401 error.
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
