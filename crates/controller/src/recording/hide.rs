//! [`Hider`]: secrets as hashes.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::format::{Header, Target};

/// The beginning of each hidden value.
const MARK: &str = "hidden:";
/// The same in base64, as far as it does not depend on what follows.
const MARK_BASE64: &str = "aGlkZGVuO";
/// The number of hex digits after it.
const DIGITS: usize = 32;
/// Shorter values are not looked for outside of the fields that are hidden: they are in many objects by chance.
const LONG_ENOUGH: usize = 8;
/// The number of hidden values that are looked for.
const MOST_KNOWN: usize = 100_000;
/// An annotation with a copy of the object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The form of a hidden text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A value, as base64.
    Data,
    /// A value.
    Text,
    /// A text that may contain a value.
    Copy,
}

/// Replaces secret values by hashes: `data` and `stringData` of Secrets, tokens, and fields that the user has named. A value
/// of at least eight bytes that was hidden once is hidden wherever else it is the whole of a string.
///
/// The same value always becomes the same hash, and a hash stays as it is. So a write that was computed from hidden values
/// compares with the recorded one.
#[derive(Debug)]
pub struct Hider {
    salt: String,
    fields: Vec<(String, Vec<String>)>,
    known: Mutex<HashSet<String>>,
}

impl Hider {
    /// A hider with the salt and the fields of a recording.
    pub fn new(header: &Header) -> Self {
        let parse = |field: &String| {
            let (resource, path) = field.split_once(':').unwrap_or((field, ""));
            let path = path.split('.').filter(|name| !name.is_empty());
            (resource.to_owned(), path.map(str::to_owned).collect())
        };
        let mut fields: Vec<(String, Vec<String>)> = header.hidden.iter().map(parse).collect();
        for (resource, field) in [
            ("serviceaccounts/token", ["status", "token"]),
            ("tokenreviews.authentication.k8s.io", ["spec", "token"]),
        ] {
            fields.push((resource.to_owned(), field.map(str::to_owned).to_vec()));
        }
        Self { salt: header.salt.clone(), fields, known: Mutex::default() }
    }

    /// Hides the values of an object, or of each object of a list.
    pub fn object(&self, target: &Target, object: &mut Value) {
        self.hide(target, object);
        self.hide_known(object);
    }

    /// Hides the values of a body. A body without hidden values stays as it is, byte for byte. In others, fields are sorted.
    pub fn body(&self, target: &Target, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        let hides = self.hides(target);
        let has_hash = |text: &str| text.contains(MARK) || text.contains(MARK_BASE64);
        if body.is_empty() || !(hides || has_hash(&text) || !self.known().is_empty()) {
            return text.into_owned();
        }
        match serde_json::from_slice::<Value>(body) {
            Ok(mut value) => {
                self.object(target, &mut value);
                let hidden = value.to_string();
                if hides || has_hash(&hidden) { hidden } else { text.into_owned() }
            }
            // It can't be understood, so all of it is hidden.
            Err(_) if hides => self.hash(body),
            Err(_) => text.into_owned(),
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether objects of this resource have values that are hidden.
    pub(super) fn hides(&self, target: &Target) -> bool {
        target.resource == "secrets" || self.fields_of(target).next().is_some()
    }

    fn fields_of(&self, target: &Target) -> impl Iterator<Item = &Vec<String>> {
        let with_subresource = format!("{}/{}", target.resource, target.subresource);
        let is_it = move |resource: &String| *resource == target.resource || *resource == with_subresource;
        self.fields.iter().filter(move |(resource, _)| is_it(resource)).map(|(_, path)| path)
    }

    fn hide(&self, target: &Target, object: &mut Value) {
        if !self.hides(target) {
            return;
        }
        if let Value::Array(operations) = object {
            // A JSON patch.
            for value in operations.iter_mut().filter_map(|operation| operation.get_mut("value")) {
                self.hide_all(value, Form::Data);
            }
            return;
        }
        if let Some(Value::Array(items)) = object.get_mut("items") {
            for item in items {
                self.hide_one(target, item);
            }
        }
        self.hide_one(target, object);
    }

    fn hide_one(&self, target: &Target, object: &mut Value) {
        if target.resource == "secrets" {
            if let Some(data) = object.get_mut("data") {
                self.hide_all(data, Form::Data);
            }
            if let Some(data) = object.get_mut("stringData") {
                self.hide_all(data, Form::Text);
            }
        }
        for path in self.fields_of(target) {
            if let Some(field) = path.iter().try_fold(&mut *object, |value, name| value.get_mut(name)) {
                self.hide_all(field, Form::Text);
            }
        }
        let copy =
            object.get_mut("metadata").and_then(|meta| meta.get_mut("annotations")?.get_mut(LAST_APPLIED));
        if let Some(copy) = copy {
            self.hide_all(copy, Form::Copy);
        }
        // The text of a validation error may quote a value.
        if object["kind"] == "Status" && (object["code"] == 400 || object["code"] == 422) {
            for field in ["/message", "/details/causes"] {
                if let Some(text) = object.pointer_mut(field) {
                    self.hide_all(text, Form::Copy);
                }
            }
        }
    }

    /// Hides all strings of a value.
    fn hide_all(&self, value: &mut Value, form: Form) {
        match value {
            Value::String(text) => *text = self.hidden(text, form),
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide_all(value, form)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.hide_all(value, form)),
            _ => {}
        }
    }

    fn hidden(&self, text: &str, form: Form) -> String {
        let bytes = (form == Form::Data).then(|| STANDARD.decode(text).ok()).flatten();
        let plain = bytes.as_deref().unwrap_or(text.as_bytes());
        if is_hash(plain) {
            return text.to_owned();
        }
        let hash = self.hash(plain);
        if form != Form::Copy && plain.len() >= LONG_ENOUGH {
            let mut known = self.known();
            if known.len() < MOST_KNOWN {
                known.insert(hash.clone());
            }
        }
        if bytes.is_some() { STANDARD.encode(hash) } else { hash }
    }

    /// Hides strings that are known to be secret.
    fn hide_known(&self, value: &mut Value) {
        if self.known().is_empty() {
            return;
        }
        match value {
            Value::String(text) if text.len() >= LONG_ENOUGH && !is_hash(text.as_bytes()) => {
                let hash = self.hash(text.as_bytes());
                if self.known().contains(&hash) {
                    *text = hash;
                    return;
                }
                let plain = STANDARD.decode(&*text).ok().filter(|plain| plain.len() >= LONG_ENOUGH);
                if let Some(plain) = plain.filter(|plain| !is_hash(plain)) {
                    let hash = self.hash(&plain);
                    if self.known().contains(&hash) {
                        *text = STANDARD.encode(hash);
                    }
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide_known(value)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.hide_known(value)),
            _ => {}
        }
    }

    fn hash(&self, value: &[u8]) -> String {
        let digest = Sha256::new().chain_update(self.salt.as_bytes()).chain_update([0]).chain_update(value);
        let mut text = MARK.to_owned();
        for byte in digest.finalize().iter().take(DIGITS / 2) {
            // Writing to a text never fails.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

fn is_hash(text: &[u8]) -> bool {
    text.strip_prefix(MARK.as_bytes()).is_some_and(|digits| {
        digits.len() == DIGITS && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hider() -> Hider {
        let hidden = vec!["databases.example.com:spec.password".to_owned()];
        Hider::new(&Header::new(0, "salt".to_owned(), hidden))
    }

    const SECRETS: &str = "/api/v1/namespaces/shop/secrets";

    fn hide(hider: &Hider, path: &str, object: &Value) -> Value {
        let text = hider.body(&Target::parse(path), object.to_string().as_bytes());
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn no_value_of_a_secret_is_left_in_any_form_of_a_body() {
        let (hider, plain) = (hider(), "correct horse");
        let base64 = STANDARD.encode(plain);
        let copy = json!({"data": {"password": base64}}).to_string();
        let secret = json!({
            "metadata": {"name": "a", "annotations": {LAST_APPLIED: copy, "plain": "stays"}},
            "data": {"password": base64}, "stringData": {"password": plain},
        });
        let bodies = [
            secret.clone(),
            json!({"kind": "SecretList", "items": [secret]}),
            json!([{"op": "replace", "path": "/data/password", "value": base64}]),
            json!([{"op": "add", "path": "/data", "value": {"password": base64}}]),
            json!({"kind": "Status", "code": 422, "message": plain, "details": {"causes": [{"message": plain}]}}),
        ];
        for body in bodies {
            let hidden = hide(&hider, SECRETS, &body).to_string();
            assert!(!hidden.contains(plain) && !hidden.contains(&base64), "{hidden}");
            assert!(hidden.contains(MARK) || hidden.contains(MARK_BASE64), "{hidden}");
        }
        // A body that is not JSON is hidden as a whole.
        let text = hider.body(&Target::parse(SECRETS), format!("data:\n  password: {base64}").as_bytes());
        assert!(is_hash(text.as_bytes()), "{text}");
    }

    #[test]
    fn equal_values_have_equal_hashes_and_a_hash_stays() {
        let hider = hider();
        let secret = |value: &str| json!({"data": {"password": STANDARD.encode(value)}});
        let once = hide(&hider, SECRETS, &secret("one value"));
        assert_eq!(hide(&hider, SECRETS, &secret("one value")), once);
        assert_ne!(hide(&hider, SECRETS, &secret("other value")), once);
        assert_eq!(hide(&hider, SECRETS, &once), once);
        // The text of `stringData` is what `data` has as base64.
        let data = STANDARD.decode(once["data"]["password"].as_str().unwrap()).unwrap();
        let strings = hide(&hider, SECRETS, &json!({"stringData": {"password": "one value"}}));
        assert_eq!(strings["stringData"]["password"].as_str().unwrap().as_bytes(), data);
        // Another recording has other hashes.
        let other = Hider::new(&Header::new(0, "pepper".to_owned(), Vec::new()));
        assert_ne!(hide(&other, SECRETS, &secret("one value")), once);
    }

    #[test]
    fn bodies_that_are_computed_from_hashes_are_those_of_the_recording() {
        let (recording, replay) = (hider(), hider());
        let map = Target::parse("/api/v1/namespaces/shop/configmaps/a");
        let secrets = Target::parse(SECRETS);
        let secret = |value: &str| format!(r#"{{"z":1,"data":{{"p":"{}"}},"a":2}}"#, STANDARD.encode(value));
        let copy = |value: &str| format!(r#"{{"z":1,"data":{{"p":"{value}"}},"a":2}}"#);
        let (of_secret, of_copy) = (
            recording.body(&secrets, secret("one value").as_bytes()),
            recording.body(&map, copy("one value").as_bytes()),
        );
        let hash = recording.hash(b"one value");
        assert_eq!(replay.body(&secrets, secret(&hash).as_bytes()), of_secret);
        assert_eq!(replay.body(&map, copy(&hash).as_bytes()), of_copy);
    }

    #[test]
    fn a_known_value_is_hidden_in_other_objects() {
        let hider = hider();
        let map = "/api/v1/namespaces/shop/configmaps/a";
        let body =
            json!({"data": {"url": "one value", "short": "abc", "copy": STANDARD.encode("one value")}});
        assert_eq!(hide(&hider, map, &body), body, "nothing is known yet");
        let data = json!({"a": STANDARD.encode("one value"), "b": STANDARD.encode("abc")});
        hide(&hider, SECRETS, &json!({"data": data}));
        let hidden = hide(&hider, map, &body);
        assert!(is_hash(hidden["data"]["url"].as_str().unwrap().as_bytes()));
        assert!(!hidden.to_string().contains(&STANDARD.encode("one value")));
        assert_eq!(hidden["data"]["short"], "abc");
        assert_eq!(hide(&hider, map, &hidden), hidden);
    }

    #[test]
    fn named_fields_and_tokens_are_hidden_and_other_bodies_stay_byte_for_byte() {
        let hider = hider();
        let database = "/apis/example.com/v1/namespaces/shop/databases/a";
        let hidden = hide(&hider, database, &json!({"spec": {"password": "x", "size": 3}}));
        assert!(is_hash(hidden["spec"]["password"].as_str().unwrap().as_bytes()));
        assert_eq!(hidden["spec"]["size"], 3);
        let token = "/api/v1/namespaces/shop/serviceaccounts/a/token";
        let hidden = hide(&hider, token, &json!({"status": {"token": "eyJ.abc"}}));
        assert!(is_hash(hidden["status"]["token"].as_str().unwrap().as_bytes()));
        let odd = b"{ \"b\":1, \"a\": 2 }";
        assert_eq!(hider.body(&Target::parse("/api/v1/namespaces/shop/pods"), odd).as_bytes(), odd);
    }
}
