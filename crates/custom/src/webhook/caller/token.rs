//! The decision about a token, without a clock and without I/O.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_machinery::Json;

use super::keys::{KeySet, Signature};
use super::{Caller, CallerOptions};

/// The largest token.
const MAX_TOKEN: usize = 16 << 10;
/// The claim with the API group that the caller may ask about.
const ALLOWED_GROUP: &str = "webhook-authentication.k8s.io/allowedAPIGroup";

/// The reason why a token is not accepted. It has no part of the token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// No known key has signed it; a newer set of keys may have it.
    UnknownKey,
    Because(&'static str),
}

/// Decides about a token at a time, in seconds since 1970.
pub(super) fn decide(
    token: &str,
    keys: &KeySet,
    options: &CallerOptions,
    now: i64,
) -> Result<Caller, Refusal> {
    let because = Refusal::Because;
    if token.len() > MAX_TOKEN {
        return Err(because("the token is too large"));
    }
    let malformed = because("the token is not a signed JWT");
    let (text, signature) = token.rsplit_once('.').ok_or(because("the token is not a signed JWT"))?;
    let (Some((head, body)), Ok(signature)) = (text.split_once('.'), URL_SAFE_NO_PAD.decode(signature))
    else {
        return Err(malformed);
    };
    let json = |part: &str| Json::parse(&URL_SAFE_NO_PAD.decode(part).ok()?).ok();
    let (Some(head), Some(body)) = (json(head), json(body)) else { return Err(malformed) };
    // Cheap checks first: a token of another issuer must not make us look for its key.
    if body["iss"].as_str() != Some(&options.issuer) {
        return Err(because("another issuer"));
    }
    if head.get("crit").is_some() {
        return Err(because("the token has critical extensions"));
    }
    let algorithm = head["alg"].as_str().unwrap_or_default();
    match keys.check(algorithm, head["kid"].as_str(), text.as_bytes(), &signature) {
        Signature::Valid => {}
        Signature::Invalid => return Err(because("the signature is not valid")),
        Signature::UnknownKey => return Err(Refusal::UnknownKey),
    }
    let audiences = texts(&body["aud"]);
    if !audiences.iter().any(|audience| options.audiences.iter().any(|own| own == audience)) {
        return Err(because("the token is for another audience"));
    }
    let leeway = i64::try_from(options.leeway.as_secs()).unwrap_or(i64::MAX);
    let expires = seconds(&body["exp"]).ok_or(because("the token has no expiry"))?;
    if now.saturating_sub(leeway) >= expires {
        return Err(because("the token has expired"));
    }
    if seconds(&body["nbf"]).is_some_and(|begins| now.saturating_add(leeway) < begins) {
        return Err(because("the token is not valid yet"));
    }
    let own = &body["kubernetes.io"];
    let bound = |kind: &str| own.get(kind).filter(|bound| !matches!(bound, Json::Null));
    let (kind, bound) = match (bound("validatingWebhookConfiguration"), bound("mutatingWebhookConfiguration"))
    {
        (Some(bound), None) => ("ValidatingWebhookConfiguration", bound),
        (None, Some(bound)) => ("MutatingWebhookConfiguration", bound),
        _ => return Err(because("the token is not bound to one webhook configuration")),
    };
    let groups = texts(&own["attestationClaims"][ALLOWED_GROUP]);
    let [group] = &groups[..] else {
        return Err(because("the token does not name one API group"));
    };
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    Ok(Caller {
        subject: text(&body["sub"]),
        configuration_kind: kind,
        configuration_name: text(&bound["name"]),
        configuration_uid: text(&bound["uid"]),
        group: (*group).to_owned(),
    })
}

/// A text or a list of texts.
fn texts(value: &Json) -> Vec<&str> {
    match value.as_list() {
        Some(list) => list.iter().filter_map(Json::as_str).collect(),
        None => value.as_str().into_iter().collect(),
    }
}

/// A time in seconds; fractions are cut off.
fn seconds(value: &Json) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "a cast saturates")]
    value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds as i64))
}
