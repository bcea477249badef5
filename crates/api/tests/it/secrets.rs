//! `Debug` of an object never shows what may be secret, wherever the object stands.

use client_rs_api::core::v1::{Secret, SecretList};
use client_rs_machinery::wire::Message;

const SECRET: &[u8] =
    br#"{"metadata":{"name":"db"},"data":{"password":"aHVudGVyMg=="},"stringData":{"token":"hunter2"}}"#;

#[test]
fn a_secret_hides_its_content_and_shows_its_name() {
    let shown = format!("{:?}", Secret::from_json(SECRET).unwrap());
    assert!(shown.contains("db") && shown.contains("<hidden>"), "{shown}");
    assert!(!shown.contains("hunter2") && !shown.contains("aHVudGVyMg"), "{shown}");
}

#[test]
fn the_copy_that_kubectl_apply_keeps_is_hidden() {
    let applied = r#"{"metadata":{"name":"db","annotations":{"a":"b",
        "kubectl.kubernetes.io/last-applied-configuration":"{\"stringData\":{\"token\":\"hunter2\"}}"}}}"#;
    let shown = format!("{:?}", Secret::from_json(applied.as_bytes()).unwrap());
    assert!(!shown.contains("hunter2"), "{shown}");
    assert!(shown.contains("last-applied-configuration") && shown.contains(r#""a": "b""#), "{shown}");
}

#[test]
fn a_list_of_secrets_hides_it_too() {
    let list = SecretList { items: [Secret::from_json(SECRET).unwrap()].into(), ..SecretList::EMPTY };
    let shown = format!("{list:?}");
    assert!(shown.contains("db") && !shown.contains("hunter2") && !shown.contains("aHVudGVyMg"), "{shown}");
}
