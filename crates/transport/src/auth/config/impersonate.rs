//! Impersonation: requests on behalf of another user.

use client_rs_machinery::collections::VecMap;
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::AuthError;

const USER: HeaderName = HeaderName::from_static("impersonate-user");
const UID: HeaderName = HeaderName::from_static("impersonate-uid");
const GROUP: HeaderName = HeaderName::from_static("impersonate-group");
const EXTRA: &str = "impersonate-extra-";
/// The common prefix of the headers, including those of future servers.
const PREFIX: &str = "impersonate-";
const REMOTE_USER: HeaderName = HeaderName::from_static("x-remote-user");
const REMOTE_UID: HeaderName = HeaderName::from_static("x-remote-uid");
const REMOTE_GROUP: HeaderName = HeaderName::from_static("x-remote-group");
const REMOTE_EXTRA: &str = "x-remote-extra-";

/// The characters that a header name can't contain, and the escape character itself.
const NOT_IN_A_NAME: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'*')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

client_rs_machinery::options! {
    /// The user on whose behalf requests are made. The server checks whether your own identity may impersonate this user.
    ///
    /// As part of a config, it applies to every request and replaces all `Impersonate-*` headers of the request. To send one
    /// request on behalf of another user, add a value to the request's [extensions](http::Extensions): it replaces the value of
    /// the config.
    ///
    /// ```
    /// use client_rs_transport::Config;
    /// use client_rs_transport::auth::{Credentials, CredentialsOptions, Impersonate};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let jane = Impersonate::new("jane").with_groups(["developers"]);
    /// let config = Config::new("https://k8s.example".parse()?).with_impersonate(jane);
    ///
    /// let mut headers = http::HeaderMap::new();
    /// Credentials::new(&config, &CredentialsOptions::default())?.apply(&mut headers).await?;
    /// assert_eq!(headers["impersonate-user"], "jane");
    /// assert_eq!(headers["impersonate-group"], "developers");
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Impersonate {
        /// The user's name.
        pub user: String => with_user,
        /// The user's unique identifier. Default: none.
        pub uid: Option<String> => with_uid,
        /// The user's groups. Default: none.
        pub groups: Vec<String> => with_groups,
        /// Other attributes for the server's authorizers. Keys become lowercase, because header names are case-insensitive.
        /// Default: none.
        pub extra: VecMap<String, Vec<String>> => with_extra,
    }
}

impl Impersonate {
    /// This user, in no group.
    pub fn new(user: impl Into<String>) -> Self {
        Self::default().with_user(user)
    }

    /// Replaces the `X-Remote-*` headers with this user: a server accepts them from a proxy that it knows by its certificate.
    ///
    /// Use it in an aggregating proxy that authenticates users itself. Headers of the incoming request are removed, because any
    /// client can send them.
    ///
    /// ```
    /// use client_rs_transport::auth::Impersonate;
    ///
    /// let mut headers = http::HeaderMap::new();
    /// headers.insert("x-remote-group", "system:masters".parse()?);
    /// Impersonate::new("jane").apply_as_front_proxy(&mut headers)?;
    /// assert_eq!(headers["x-remote-user"], "jane");
    /// assert!(!headers.contains_key("x-remote-group"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_as_front_proxy(&self, headers: &mut HeaderMap) -> Result<(), AuthError> {
        let ours = self.headers_named(&[REMOTE_USER, REMOTE_UID, REMOTE_GROUP], REMOTE_EXTRA)?;
        let extra = headers.keys().filter(|name| name.as_str().starts_with(REMOTE_EXTRA)).cloned();
        for name in extra.chain([REMOTE_USER, REMOTE_UID, REMOTE_GROUP]).collect::<Vec<_>>() {
            headers.remove(name);
        }
        for (name, value) in &ours {
            headers.append(name, value.clone());
        }
        Ok(())
    }

    /// The headers of this impersonation. The header of the user is always set, even if it is empty.
    pub(crate) fn headers(&self) -> Result<HeaderMap, AuthError> {
        self.headers_named(&[USER, UID, GROUP], EXTRA)
    }

    fn headers_named(
        &self,
        [user, uid_name, group_name]: &[HeaderName; 3],
        extra: &str,
    ) -> Result<HeaderMap, AuthError> {
        let value =
            |text: &str, what| HeaderValue::from_str(text).map_err(|_| AuthError::NotAHeader { what });
        let mut headers = HeaderMap::new();
        headers.insert(user, value(&self.user, "impersonated user")?);
        if let Some(uid) = &self.uid {
            headers.insert(uid_name, value(uid, "impersonated uid")?);
        }
        for group in &self.groups {
            headers.append(group_name, value(group, "impersonated group")?);
        }
        for (key, values) in &self.extra {
            let name = format!("{extra}{}", utf8_percent_encode(key, NOT_IN_A_NAME)).to_ascii_lowercase();
            let name = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| AuthError::NotAHeader { what: "key of an impersonated extra" })?;
            for text in values {
                headers.append(name.clone(), value(text, "impersonated extra")?);
            }
        }
        Ok(headers)
    }
}

/// Sets the impersonation headers, if there are any. It removes all others of the request: a proxy may forward a request, and
/// its sender must not choose the user.
pub(crate) fn apply(impersonation: &HeaderMap, headers: &mut HeaderMap) {
    if impersonation.is_empty() {
        return;
    }
    let said = headers.keys().filter(|name| name.as_str().starts_with(PREFIX)).cloned();
    for name in said.collect::<Vec<_>>() {
        headers.remove(name);
    }
    for (name, value) in impersonation {
        headers.append(name, value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(impersonate: &Impersonate) -> Vec<(String, String)> {
        let mut headers = HeaderMap::new();
        apply(&impersonate.headers().unwrap(), &mut headers);
        let mut sent: Vec<_> = headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        sent.sort();
        sent
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn t3_8_08_header_round_trippers_escape_round_trips() {
        let user = |user: &str| Impersonate { user: user.to_owned(), ..Impersonate::default() };
        assert_eq!(sent(&user("jane")), pairs(&[("impersonate-user", "jane")]));
        assert_eq!(sent(&user("")), pairs(&[("impersonate-user", "")]), "always set, even empty");

        let all = Impersonate {
            user: "jane".to_owned(),
            uid: Some("42".to_owned()),
            groups: vec!["dev".to_owned(), "ops".to_owned()],
            extra: [
                ("scopes".to_owned(), vec!["a".to_owned(), "b".to_owned()]),
                ("example.com/alpaca".to_owned(), vec!["x".to_owned()]),
                ("al%aca ü".to_owned(), vec!["y".to_owned()]),
            ]
            .into(),
        };
        assert_eq!(
            sent(&all),
            pairs(&[
                ("impersonate-extra-al%25aca%20%c3%bc", "y"),
                ("impersonate-extra-example.com%2falpaca", "x"),
                ("impersonate-extra-scopes", "a"),
                ("impersonate-extra-scopes", "b"),
                ("impersonate-group", "dev"),
                ("impersonate-group", "ops"),
                ("impersonate-uid", "42"),
                ("impersonate-user", "jane"),
            ])
        );
        // Every key can be decoded from the header's name.
        for key in ["", "a%b", "%25", "ключ", "a:b", "(x)", "\u{7f}\n", "`~!#$&'*+-.^_|"] {
            let impersonate =
                Impersonate { extra: [(key.to_owned(), vec!["v".to_owned()])].into(), ..user("jane") };
            let sent = sent(&impersonate);
            let name = sent[0].0.strip_prefix(EXTRA).unwrap();
            assert_eq!(
                percent_encoding::percent_decode_str(name).decode_utf8().unwrap(),
                key.to_ascii_lowercase()
            );
        }
    }

    #[test]
    fn t3_8_08_header_round_trippers_front_proxy() {
        let user = Impersonate {
            user: "jane".to_owned(),
            uid: Some("42".to_owned()),
            groups: vec!["dev".to_owned()],
            extra: [("a/b".to_owned(), vec!["x".to_owned()])].into(),
        };
        let mut headers = HeaderMap::new();
        for name in
            ["x-remote-user", "x-remote-uid", "x-remote-group", "x-remote-extra-evil", "x-remote", "accept"]
        {
            headers.append(name, HeaderValue::from_static("forged"));
        }
        user.apply_as_front_proxy(&mut headers).unwrap();
        let mut sent: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        sent.sort_unstable();
        assert_eq!(
            sent,
            [
                ("accept", "forged"),
                ("x-remote", "forged"),
                ("x-remote-extra-a%2fb", "x"),
                ("x-remote-group", "dev"),
                ("x-remote-uid", "42"),
                ("x-remote-user", "jane"),
            ]
        );
    }

    #[test]
    fn headers_of_a_request_do_not_change_whom_the_config_impersonates() {
        let jane =
            Impersonate { user: "jane".to_owned(), groups: vec!["dev".to_owned()], ..Impersonate::default() };
        let forged = [
            ("impersonate-user", "joe"),
            ("impersonate-group", "system:masters"),
            ("impersonate-uid", "0"),
            ("impersonate-extra-scopes", "all"),
        ];
        for (name, value) in forged {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            headers.insert("accept", HeaderValue::from_static("*/*"));
            apply(&jane.headers().unwrap(), &mut headers);
            let mut sent: Vec<_> =
                headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
            sent.sort_unstable();
            assert_eq!(
                sent,
                [("accept", "*/*"), ("impersonate-group", "dev"), ("impersonate-user", "jane")],
                "{name}"
            );
        }
        // A config without impersonation leaves a request unchanged.
        let mut headers = HeaderMap::new();
        headers.insert(USER, HeaderValue::from_static("joe"));
        apply(&HeaderMap::new(), &mut headers);
        assert_eq!((headers.len(), headers[USER].to_str().unwrap()), (1, "joe"));
    }

    #[test]
    fn a_value_that_no_header_can_carry_is_an_error() {
        let impersonate = Impersonate { user: "a\nb".to_owned(), ..Impersonate::default() };
        assert!(matches!(impersonate.headers(), Err(AuthError::NotAHeader { what: "impersonated user" })));
    }
}
