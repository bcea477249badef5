//! Several kubeconfigs as one, and what plugins and files say of credentials.

use client_rs_transport::auth::exec;
use client_rs_transport::kubeconfig::{DirectConfig, Kubeconfig};

use super::{sections, text};

/// Merging keeps what the first file has, is the same the second time, and shows no secret once it is redacted.
pub fn kubeconfig_merge(data: &[u8]) {
    let [first, second] = sections(data).map(Kubeconfig::parse);
    let (Ok(first), Ok(second)) = (first, second) else { return };
    let mut merged = first.clone();
    merged.add_missing(&second);
    let mut again = merged.clone();
    again.add_missing(&second);
    assert!(again == merged, "a second merge changes something");
    for name in first.clusters.keys().chain(second.clusters.keys()) {
        assert!(merged.clusters.contains_key(name));
    }
    for name in first.users.keys().chain(second.users.keys()) {
        assert!(merged.users.contains_key(name));
    }
    for name in first.contexts.keys().chain(second.contexts.keys()) {
        assert!(merged.contexts.contains_key(name));
    }
    let written = merged.to_yaml().expect("what was merged can be written");
    assert!(Kubeconfig::parse(written.as_bytes()).expect("and read again") == merged, "{written}");
    let mut redacted = merged.clone();
    redacted.redact();
    let shown = redacted.to_yaml().expect("what was redacted can be written");
    let debug = format!("{merged:?}");
    for user in merged.users.values() {
        let secret = user.token.expose();
        // Short ones may stand in any text.
        if secret.len() > 12 && !text(data).replacen(secret, "", 1).contains(secret) {
            assert!(!shown.contains(secret) && !debug.contains(secret), "a token is shown");
        }
    }
    let _ = DirectConfig::new(merged).client_config();
}

/// The answer of a plugin is read or refused, and an error quotes no credential.
pub fn exec_answer(data: &[u8]) {
    const SECRET: &str = "SECRET-TOKEN";
    if let Err(error) = exec::check_answer(data) {
        assert!(error.len() < 4096 + data.len());
        // The version is quoted, as client-go does.
        assert!(!error.contains(SECRET) || error.contains("returned version"), "{error}");
    }
}
