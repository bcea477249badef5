//! Bearer tokens: those that a test creates, and those of service accounts.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_machinery::{Json, json};
use client_rs_transport::Secret;

use super::keys::{PublicKey, SigningKey};
use super::random;
use crate::kinds::Claims;
use crate::registry::Registry;
use crate::request::{CREDENTIAL_ID, User};

/// The default issuer of service account tokens.
const ISSUER: &str = "https://kubernetes.default.svc.cluster.local";

client_rs_machinery::options! {
    /// The options of service account tokens: see [`StorageOptions::tokens`](crate::StorageOptions::tokens).
    #[derive(Clone, Debug)]
    pub struct TokenOptions {
        /// The issuer, like `--service-account-issuer` of the real server. Default:
        /// `https://kubernetes.default.svc.cluster.local`.
        pub issuer: String => with_issuer,
        /// The audiences of this server, like `--api-audiences`. A token for none of them does not authenticate.
        /// Default: the issuer.
        pub audiences: Vec<String> => with_audiences,
        /// The private key that signs tokens, in PEM, like `--service-account-signing-key-file`: ECDSA with P-256,
        /// or RSA. Default: a key that is generated at start and never leaves the process.
        pub signing_key: Option<Secret> => with_signing_key,
        /// Keys that also verify tokens, in PEM, like `--service-account-key-file`: public keys, certificates or
        /// private keys. Default: none.
        pub keys: Vec<Secret> => with_keys,
    }
}

impl Default for TokenOptions {
    fn default() -> Self {
        Self { issuer: ISSUER.to_owned(), audiences: Vec::new(), signing_key: None, keys: Vec::new() }
    }
}

/// The tokens that a server accepts.
pub(crate) struct Tokens {
    /// Signs the tokens of service accounts.
    key: Arc<SigningKey>,
    /// The keys that verify tokens. The first one is that of `key`.
    keys: Vec<PublicKey>,
    issuer: String,
    audiences: Vec<String>,
    given: RwLock<HashMap<String, User>>,
    /// The content of tokens whose signature was verified. At the limit it is emptied.
    verified: RwLock<HashMap<String, Arc<Json>>>,
}

/// The largest number of tokens whose verification is remembered.
const VERIFIED_MAX: usize = 1024;

/// The user that a token identifies, and the audiences of the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) user: User,
    pub(crate) audiences: Vec<String>,
}

impl Tokens {
    /// Fails if a key can't be used, or if the operating system's random number generator fails.
    pub(crate) fn new(options: TokenOptions) -> io::Result<Self> {
        let invalid = |why: String| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("key of service account tokens: {why}"))
        };
        let key = match &options.signing_key {
            Some(pem) => SigningKey::from_pem(pem.expose().as_bytes()).map_err(invalid)?,
            None => SigningKey::Ecdsa(random::signing_key()?),
        };
        let mut keys = vec![key.public()];
        for pem in &options.keys {
            for key in PublicKey::all_from_pem(pem.expose().as_bytes()).map_err(invalid)? {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        let TokenOptions { issuer, mut audiences, .. } = options;
        if audiences.is_empty() {
            audiences.push(issuer.clone());
        }
        let key = Arc::new(key);
        Ok(Self { key, keys, issuer, audiences, given: RwLock::default(), verified: RwLock::default() })
    }

    /// A copy that accepts the same tokens. Later changes of one do not affect the other.
    pub(crate) fn fork(&self) -> Self {
        Self {
            key: Arc::clone(&self.key),
            keys: self.keys.clone(),
            issuer: self.issuer.clone(),
            audiences: self.audiences.clone(),
            given: RwLock::new(self.given.read().unwrap_or_else(PoisonError::into_inner).clone()),
            verified: RwLock::default(),
        }
    }

    /// The issuer of service account tokens.
    pub(crate) fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The audiences of this server.
    pub(crate) fn audiences(&self) -> &[String] {
        &self.audiences
    }

    /// The algorithm of the signatures.
    pub(crate) fn algorithm(&self) -> &'static str {
        self.key.algorithm()
    }

    /// The public keys as a JSON Web Key Set, with which others verify the tokens of service accounts.
    pub(crate) fn key_set(&self) -> Json {
        let keys: Vec<Json> = self.keys.iter().map(PublicKey::to_json).collect();
        json!({"keys": keys})
    }

    /// Registers a token for a user.
    pub(crate) fn add(&self, token: String, user: User) {
        self.given.write().unwrap_or_else(PoisonError::into_inner).insert(token, user);
    }

    /// Revokes a token. Returns false if it was not registered.
    pub(crate) fn remove(&self, token: &str) -> bool {
        self.given.write().unwrap_or_else(PoisonError::into_inner).remove(token).is_some()
    }

    /// The user that a token identifies.
    pub(crate) fn user(&self, registry: &Registry, token: &str) -> Option<Shown> {
        let given = self.given.read().unwrap_or_else(PoisonError::into_inner).get(token).cloned();
        if let Some(user) = given {
            return Some(Shown { user, audiences: self.audiences.clone() });
        }
        self.account(registry, token)
    }

    /// Issues a token for a service account.
    pub(crate) fn issue(&self, claims: &Claims) -> String {
        let mut kubernetes = json!({
            "namespace": claims.namespace.as_str(),
            "serviceaccount": {"name": claims.name.as_str(), "uid": claims.uid.as_str()},
        });
        if let Some((kind, name, uid)) = &claims.bound {
            let bound = json!({"name": name.as_str(), "uid": uid.as_str()});
            // It can't fail: the value is an object.
            let _ = kubernetes.set(&[kind.to_ascii_lowercase()], bound);
        }
        let body = json!({
            "aud": claims.audiences.clone(),
            "exp": claims.expires,
            "iat": claims.issued,
            "iss": self.issuer.as_str(),
            "jti": crate::registry::new_uid(),
            "kubernetes.io": kubernetes,
            "nbf": claims.issued,
            "sub": format!("system:serviceaccount:{}:{}", claims.namespace, claims.name),
        });
        let id = self.keys.first().map(|key| key.id.as_str()).unwrap_or_default();
        let header = json!({"alg": self.key.algorithm(), "kid": id});
        let text =
            format!("{}.{}", URL_SAFE_NO_PAD.encode(header.to_vec()), URL_SAFE_NO_PAD.encode(body.to_vec()));
        // It can only fail with the random number generator. Nobody accepts a token without a signature.
        let signature = self.key.sign(text.as_bytes()).unwrap_or_default();
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// The content of a token that this server has signed.
    fn verified(&self, token: &str) -> Option<Arc<Json>> {
        let known = self.verified.read().unwrap_or_else(PoisonError::into_inner).get(token).cloned();
        if known.is_some() {
            return known;
        }
        let (text, signature) = token.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        // The signatures of the two algorithms have different forms: a key accepts none of the other.
        self.keys.iter().find(|key| key.verifies(text.as_bytes(), &signature))?;
        let body = URL_SAFE_NO_PAD.decode(text.split_once('.')?.1).ok()?;
        let body = Arc::new(Json::parse(&body).ok()?);
        if body["iss"].as_str() != Some(self.issuer.as_str()) {
            return None;
        }
        let mut verified = self.verified.write().unwrap_or_else(PoisonError::into_inner);
        if verified.len() >= VERIFIED_MAX {
            verified.clear();
        }
        verified.insert(token.to_owned(), Arc::clone(&body));
        Some(body)
    }

    fn account(&self, registry: &Registry, token: &str) -> Option<Shown> {
        let body = self.verified(token)?;
        if registry.clock().now().seconds() >= body["exp"].as_i64()? {
            return None;
        }
        let own = &body["kubernetes.io"];
        let namespace = own["namespace"].as_str()?;
        let account = &own["serviceaccount"];
        let (name, uid) = (account["name"].as_str()?, account["uid"].as_str()?);
        let mut extra = Vec::new();
        for (kind, plural) in
            [("serviceaccount", "serviceaccounts"), ("pod", "pods"), ("secret", "secrets"), ("node", "nodes")]
        {
            let Some(bound) = own.get(kind) else { continue };
            let (name, uid) = (bound["name"].as_str()?, bound["uid"].as_str()?);
            let served = registry.catalog().find("", "v1", plural)?;
            let namespace = if kind == "node" { "" } else { namespace };
            // A token expires with the object that it is bound to, even if another object of the same name exists.
            let alive =
                registry.get(&served, namespace, name).is_ok_and(|found| found.stored.object.uid() == uid);
            if !alive {
                return None;
            }
            if kind == "pod" || kind == "node" {
                extra.push((format!("authentication.kubernetes.io/{kind}-name"), name.to_owned()));
                extra.push((format!("authentication.kubernetes.io/{kind}-uid"), uid.to_owned()));
            }
        }
        let mut user = User { uid: uid.to_owned(), ..User::service_account(namespace, name) };
        extra.push((CREDENTIAL_ID.to_owned(), format!("JTI={}", body["jti"].as_str()?)));
        user.extra.extend(extra.into_iter().map(|(key, value)| (key, vec![value])));
        Some(Shown { user, audiences: crate::request::texts(&body["aud"]) })
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}
