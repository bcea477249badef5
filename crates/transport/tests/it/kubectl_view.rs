//! Unusual kubeconfigs and their effective configs: the same as kubectl's.
//!
//! Two environment variables compare with kubectl itself:
//!
//! - `KUBECTL=path`: this kubectl must print the recorded output, also for the files that we wrote.
//! - `KUBECTL=path KUBECTL_RECORD=1`: writes the record again (`cargo xtask record kubeconfigs`).

use std::env;

use client_rs_test_inputs::kubeconfigs::{compare, record};

#[test]
fn the_effective_config_equals_kubectls() {
    let real = env::var("KUBECTL").ok();
    if let Some(real) = real.as_deref().filter(|_| env::var_os("KUBECTL_RECORD").is_some()) {
        return record(real);
    }
    let problems = compare(real.as_deref());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
