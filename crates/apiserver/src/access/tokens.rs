//! Bearer tokens: those that a test creates, and those of service accounts.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_machinery::{Json, json};
use ring::digest;
use ring::signature::{ECDSA_P256_SHA256_FIXED, EcdsaKeyPair, KeyPair as _, UnparsedPublicKey};

use super::random;
use crate::kinds::Claims;
use crate::registry::Registry;
use crate::request::{CREDENTIAL_ID, User};

/// The issuer of service account tokens, and their default audience.
pub(crate) const ISSUER: &str = "https://kubernetes.default.svc.cluster.local";

/// The algorithm of the signatures.
pub(crate) const ALGORITHM: &str = "ES256";

/// The tokens that a server accepts.
pub(crate) struct Tokens {
    /// Signs the tokens of service accounts. It is generated at start and never leaves the process.
    key: EcdsaKeyPair,
    /// The name of the key in tokens and in [`Tokens::key_set`].
    key_id: String,
    given: RwLock<HashMap<String, User>>,
    /// The content of tokens whose signature was verified. At the limit it is emptied.
    verified: RwLock<HashMap<String, Arc<Json>>>,
}

/// The largest number of tokens whose verification is remembered.
const VERIFIED_MAX: usize = 1024;

/// The public key of P-256 in `SubjectPublicKeyInfo` begins with these bytes.
const P256_INFO: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// The user that a token identifies, and the audiences of the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) user: User,
    pub(crate) audiences: Vec<String>,
}

impl Tokens {
    /// Fails if the operating system's random number generator does.
    pub(crate) fn new() -> io::Result<Self> {
        let key = random::signing_key()?;
        let info = [P256_INFO, key.public_key().as_ref()].concat();
        let key_id = URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, &info));
        Ok(Self { key, key_id, given: RwLock::default(), verified: RwLock::default() })
    }

    /// The public key as a JSON Web Key Set, with which others verify the tokens of service accounts.
    pub(crate) fn key_set(&self) -> Json {
        // The key is a tag and both coordinates.
        let (x, y) = self.key.public_key().as_ref().get(1..).unwrap_or_default().split_at(32);
        json!({"keys": [{
            "use": "sig", "kty": "EC", "kid": self.key_id.as_str(), "crv": "P-256", "alg": ALGORITHM,
            "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y),
        }]})
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
            return Some(Shown { user, audiences: vec![ISSUER.to_owned()] });
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
            "iss": ISSUER,
            "jti": crate::registry::new_uid(),
            "kubernetes.io": kubernetes,
            "nbf": claims.issued,
            "sub": format!("system:serviceaccount:{}:{}", claims.namespace, claims.name),
        });
        let header = json!({"alg": ALGORITHM, "kid": self.key_id.as_str()});
        let text =
            format!("{}.{}", URL_SAFE_NO_PAD.encode(header.to_vec()), URL_SAFE_NO_PAD.encode(body.to_vec()));
        // It can only fail with the random number generator. Nobody accepts a token without a signature.
        let signature = random::sign(&self.key, text.as_bytes()).unwrap_or_default();
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
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, self.key.public_key());
        public.verify(text.as_bytes(), &signature).ok()?;
        let body = URL_SAFE_NO_PAD.decode(text.split_once('.')?.1).ok()?;
        let body = Arc::new(Json::parse(&body).ok()?);
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
