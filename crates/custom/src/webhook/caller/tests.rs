use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_machinery::{Json, Unstructured, json};
use http_body_util::{BodyExt, Full};
use rcgen::{KeyPair, SigningKey as _};
use tower::ServiceExt;

use super::*;
use crate::webhook::{Admitted, Hook, Review};

const ISSUER: &str = "https://issuer.example";
const AUDIENCE: &str = "https://hook.shop.svc:443/validate";
const GROUP: &str = "webhook-authentication.k8s.io/allowedAPIGroup";

/// A key of the issuer. Tokens have signatures of a fixed form, rcgen writes DER.
struct Signer {
    key: KeyPair,
    id: &'static str,
    is_rsa: bool,
}

impl Signer {
    fn new(id: &'static str) -> Self {
        Self { key: KeyPair::generate().unwrap(), id, is_rsa: false }
    }

    fn rsa() -> Self {
        let pem = include_str!("testdata/rsa.key");
        Self { key: KeyPair::from_pem(pem).unwrap(), id: "rsa", is_rsa: true }
    }

    fn public(&self) -> Json {
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let raw = self.key.der_bytes();
        if self.is_rsa {
            let parts = integers(raw);
            return json!({"kty": "RSA", "kid": self.id, "use": "sig", "n": text(&parts[0]), "e": text(&parts[1])});
        }
        json!({"kty": "EC", "crv": "P-256", "kid": self.id, "x": text(&raw[1..33]), "y": text(&raw[33..])})
    }

    fn sign(&self, claims: &Json) -> String {
        let algorithm = if self.is_rsa { "RS256" } else { "ES256" };
        self.sign_as(&json!({"alg": algorithm, "kid": self.id}), claims)
    }

    fn sign_as(&self, head: &Json, claims: &Json) -> String {
        let text = [head, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_vec())).join(".");
        let mut signature = self.key.sign(text.as_bytes()).unwrap();
        if !self.is_rsa {
            signature = integers(&signature).iter().flat_map(|number| pad(number)).collect();
        }
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

trait PublicBytes {
    fn der_bytes(&self) -> &[u8];
}

impl PublicBytes for KeyPair {
    fn der_bytes(&self) -> &[u8] {
        rcgen::PublicKeyData::der_bytes(self)
    }
}

/// The two numbers of a DER sequence.
fn integers(der: &[u8]) -> [Vec<u8>; 2] {
    fn element(der: &[u8]) -> (&[u8], &[u8]) {
        let (length, rest) = match der[1] {
            short if short < 0x80 => (usize::from(short), &der[2..]),
            long => {
                let count = usize::from(long & 0x7f);
                let length =
                    der[2..2 + count].iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
                (length, &der[2 + count..])
            }
        };
        rest.split_at(length)
    }
    let (content, _) = element(der);
    let (first, rest) = element(content);
    [first, element(rest).0].map(|number| number.iter().copied().skip_while(|byte| *byte == 0).collect())
}

fn pad(number: &[u8]) -> Vec<u8> {
    [vec![0; 32 - number.len()], number.to_vec()].concat()
}

fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap()
}

fn claims() -> Json {
    json!({
        "iss": ISSUER, "sub": "system:serviceaccount:kube-system:webhook-auth", "aud": ["other", AUDIENCE],
        "exp": now() + 300, "nbf": now() - 1,
        "kubernetes.io": {
            "namespace": "kube-system",
            "validatingWebhookConfiguration": {"name": "shop", "uid": "u1"},
            "attestationClaims": {GROUP: ["apps"]},
        },
    })
}

fn key_set(signers: &[&Signer]) -> Vec<u8> {
    let keys: Vec<Json> = signers.iter().map(|signer| signer.public()).collect();
    json!({"keys": keys}).to_vec()
}

fn verifier(keys: Vec<u8>) -> CallerVerifier {
    let options = CallerOptions::new(ISSUER, [AUDIENCE]);
    CallerVerifier::new(options, move || {
        let keys = keys.clone();
        async move { Ok::<_, String>(keys) }
    })
    .unwrap()
}

#[tokio::test]
async fn tokens_of_the_issuer_are_accepted_with_rsa_and_ecdsa() {
    let (ecdsa, rsa) = (Signer::new("ec"), Signer::rsa());
    let verifier = verifier(key_set(&[&ecdsa, &rsa]));
    for signer in [&ecdsa, &rsa] {
        let caller = verifier.verify(&signer.sign(&claims())).await.unwrap();
        assert_eq!((caller.configuration_name.as_str(), caller.configuration_uid.as_str()), ("shop", "u1"));
        assert_eq!(caller.configuration_kind, "ValidatingWebhookConfiguration");
        assert!(caller.may_ask_about("apps") && !caller.may_ask_about(""));
    }
    // A token without the id of its key.
    let unnamed = ecdsa.sign_as(&json!({"alg": "ES256"}), &claims());
    assert!(verifier.verify(&unnamed).await.is_ok());
}

#[tokio::test]
async fn other_tokens_are_refused_and_never_quoted() {
    let signer = Signer::new("ec");
    let verifier = verifier(key_set(&[&signer]));
    let changed = |path: &[&str], value: Json| {
        let mut changed = claims();
        let path: Vec<String> = path.iter().map(|part| (*part).to_owned()).collect();
        changed.set(&path, value).unwrap();
        signer.sign(&changed)
    };
    let own = "kubernetes.io";
    let both = json!({"name": "shop", "uid": "u2"});
    let good = signer.sign(&claims());
    let (text, signature) = good.rsplit_once('.').unwrap();
    let (head, body) = text.split_once('.').unwrap();
    let forged = URL_SAFE_NO_PAD
        .encode(String::from_utf8(URL_SAFE_NO_PAD.decode(body).unwrap()).unwrap().replace("apps", "core"));
    for (token, why) in [
        (String::new(), "not a signed JWT"),
        ("a.b".to_owned(), "not a signed JWT"),
        ("a.b.c".to_owned(), "not a signed JWT"),
        ("x".repeat(20_000), "too large"),
        (format!("{head}.{forged}.{signature}"), "signature"),
        (format!("{text}."), "signature"),
        (signer.sign_as(&json!({"alg": "none"}), &claims()), "signature"),
        (signer.sign_as(&json!({"alg": "HS256", "kid": "ec"}), &claims()), "signature"),
        (signer.sign_as(&json!({"alg": "RS256", "kid": "ec"}), &claims()), "no known key"),
        (signer.sign_as(&json!({"alg": "ES256", "kid": "other"}), &claims()), "no known key"),
        (signer.sign_as(&json!({"alg": "ES256", "kid": "ec", "crit": ["x"]}), &claims()), "critical"),
        (Signer::new("ec").sign(&claims()), "signature"),
        (changed(&["iss"], "https://other.example".into()), "another issuer"),
        (changed(&["aud"], "https://other.svc/validate".into()), "another audience"),
        (changed(&["exp"], (now() - 60).into()), "expired"),
        (changed(&["exp"], Json::Null), "no expiry"),
        (changed(&["nbf"], (now() + 60).into()), "not valid yet"),
        (changed(&[own, "validatingWebhookConfiguration"], Json::Null), "not bound to one"),
        (changed(&[own, "mutatingWebhookConfiguration"], both), "not bound to one"),
        (changed(&[own, "attestationClaims"], json!({"allowedAPIGroup": ["apps"]})), "one API group"),
        (changed(&[own, "attestationClaims"], json!({GROUP: ["apps", "batch"]})), "one API group"),
    ] {
        let error = verifier.verify(&token).await.unwrap_err().to_string();
        assert!(error.contains(why), "{why}: {error}");
        assert!(token.is_empty() || !error.contains(&token));
    }
    // Clocks may differ a little.
    assert!(verifier.verify(&changed(&["exp"], (now() - 5).into())).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn new_keys_are_fetched_when_a_token_names_one_but_not_for_every_token() {
    let (old, new) = (Signer::new("old"), Signer::new("new"));
    let (set, fetches) = (Arc::new(Mutex::new(Ok(key_set(&[&old])))), Arc::new(AtomicUsize::new(0)));
    let (served, counted) = (Arc::clone(&set), Arc::clone(&fetches));
    let verifier = CallerVerifier::new(CallerOptions::new(ISSUER, [AUDIENCE]), move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let keys: Result<Vec<u8>, String> = served.lock().unwrap().clone();
        async move { keys }
    })
    .unwrap();
    let count = || fetches.load(Ordering::Relaxed);
    for _ in 0..3 {
        verifier.verify(&old.sign(&claims())).await.unwrap();
    }
    assert_eq!(count(), 1);
    // A moment after the first fetch, an unknown key leads to none.
    let token = new.sign(&claims());
    for _ in 0..3 {
        assert!(verifier.verify(&token).await.is_err());
    }
    assert_eq!(count(), 1);
    tokio::time::advance(FETCH_AGAIN).await;
    *set.lock().unwrap() = Err("the server is down".to_owned());
    assert!(verifier.verify(&token).await.is_err());
    verifier.verify(&old.sign(&claims())).await.unwrap();
    assert_eq!(count(), 2);
    tokio::time::advance(FETCH_AGAIN).await;
    *set.lock().unwrap() = Ok(key_set(&[&new]));
    verifier.verify(&token).await.unwrap();
    assert_eq!(count(), 3);
    // The old key was withdrawn.
    assert!(verifier.verify(&old.sign(&claims())).await.is_err());
    tokio::time::advance(MAX_AGE).await;
    verifier.verify(&token).await.unwrap();
    assert_eq!(count(), 4);
}

#[tokio::test(start_paused = true)]
async fn without_keys_nobody_is_accepted_and_the_fetch_is_tried_again() {
    let signer = Signer::new("ec");
    let set = Arc::new(Mutex::new(Err("the server is down".to_owned())));
    let served = Arc::clone(&set);
    let verifier = CallerVerifier::new(CallerOptions::new(ISSUER, [AUDIENCE]), move || {
        let keys: Result<Vec<u8>, String> = served.lock().unwrap().clone();
        async move { keys }
    })
    .unwrap();
    let error = verifier.verify(&signer.sign(&claims())).await.unwrap_err();
    assert!(error.to_string().contains("the server is down"), "{error}");
    *set.lock().unwrap() = Ok(key_set(&[&signer]));
    assert!(verifier.verify(&signer.sign(&claims())).await.is_err(), "a second has not passed");
    tokio::time::advance(RETRY).await;
    verifier.verify(&signer.sign(&claims())).await.unwrap();
    assert!(
        CallerVerifier::new(CallerOptions::new(ISSUER, [""; 0]), || async { Ok::<_, String>(vec![]) })
            .is_err()
    );
}

#[tokio::test]
async fn a_hook_answers_authenticated_callers_only_and_about_their_group() {
    let signer = Signer::new("ec");
    let allow = || Hook::admission(|_: Review<Unstructured>| async { Ok(Admitted::unchanged()) });
    let options = CallerOptions::new(ISSUER, [AUDIENCE]);
    let keys = key_set(&[&signer]);
    let of = |options: CallerOptions| {
        let keys = keys.clone();
        CallerVerifier::new(options, move || {
            let keys = keys.clone();
            async move { Ok::<_, String>(keys) }
        })
        .unwrap()
    };
    let (strict, lenient) =
        (allow().verified(of(options.clone())), allow().verified(of(options.with_required(false))));
    let send = async |hook: &Hook, token: Option<&str>, group: &str| {
        let review = json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
            "request": {"uid": "1", "operation": "DELETE", "resource": {"group": group, "version": "v1", "resource": "x"}},
        });
        let mut request = http::Request::post("/validate");
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        let request = request.body(Full::new(bytes::Bytes::from(review.to_vec()))).unwrap();
        let response = hook.clone().oneshot(request).await.unwrap();
        let (code, body) =
            (response.status().as_u16(), response.into_body().collect().await.unwrap().to_bytes());
        (code, String::from_utf8(body.to_vec()).unwrap())
    };
    let token = format!("Bearer {}", signer.sign(&claims()));
    let (code, body) = send(&strict, Some(&token), "apps").await;
    assert!(code == 200 && body.contains("\"allowed\":true"), "{code} {body}");
    assert_eq!(send(&strict, Some(&token), "batch").await.0, 403);
    assert_eq!(send(&strict, None, "apps").await, (401, "the caller is not authenticated".to_owned()));
    for wrong in ["Bearer x", "Basic eDp5", "Bearer", ""] {
        assert_eq!(send(&strict, Some(wrong), "apps").await.0, 401, "{wrong}");
        assert_eq!(send(&lenient, Some(wrong), "apps").await.0, 401, "{wrong}");
    }
    assert_eq!(send(&lenient, None, "batch").await.0, 200);
    assert_eq!(send(&lenient, Some(&token), "batch").await.0, 403);
    let mut all = claims();
    all.set(&["kubernetes.io".to_owned(), "attestationClaims".to_owned(), GROUP.to_owned()], json!(["*"]))
        .unwrap();
    assert_eq!(send(&strict, Some(&format!("bearer {}", signer.sign(&all))), "batch").await.0, 200);
}

#[tokio::test]
async fn issuer_and_keys_come_from_the_cluster() {
    use client_rs_apiserver::Server;
    use client_rs_client::Request;

    let server = Server::start().await.unwrap();
    let rest = server.rest_client().unwrap();
    let verifier = CallerVerifier::of_cluster(&rest, [AUDIENCE]).await.unwrap();
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "hooks"}});
    let accounts = || Request::post().api("", "v1").namespace("default").resource("serviceaccounts");
    let object = |json: Json| Unstructured::from_json(&json.to_vec()).unwrap();
    rest.send::<Unstructured>(accounts().object(object(account))).await.unwrap();
    let token = async |audience: &str| {
        let request = json!({
            "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": [audience]},
        });
        let request = accounts().name("hooks").subresource(["token"]).object(object(request));
        let issued: Unstructured = rest.send(request).await.unwrap();
        let issued = Json::parse(&issued.to_json()).unwrap();
        issued["status"]["token"].as_str().unwrap().to_owned()
    };
    // The cluster has signed them for other purposes: the signature is checked first.
    let error = verifier.verify(&token("https://other").await).await.unwrap_err().to_string();
    assert!(error.contains("another audience"), "{error}");
    let error = verifier.verify(&token(AUDIENCE).await).await.unwrap_err().to_string();
    assert!(error.contains("not bound to one webhook configuration"), "{error}");
    server.shutdown().await;
}
