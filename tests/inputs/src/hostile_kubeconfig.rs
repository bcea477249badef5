//! Properties that hold for any bytes as a kubeconfig.

use client_rs_transport::{Config, kubeconfig::Kubeconfig};

/// Reads it or refuses it, never panics; what was read is written and read again as the same; `Debug` and errors show no
/// token.
pub fn kubeconfig(data: &[u8]) {
    let config = match Kubeconfig::parse(data) {
        Ok(config) => config,
        Err(error) => {
            assert!(error.to_string().len() < 4096 + data.len());
            return;
        }
    };
    let text = config.to_yaml().expect("what was read can be written");
    let again = Kubeconfig::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.to_yaml().expect("and written again"), text);
    assert!(again == config, "{again:?}\n{config:?}\n{text}");
    let mut short = config.clone();
    short.shorten();
    short.redact();
    // The files that it names are mostly missing; both results are fine.
    let _ = short.minify();
    let _ = Config::from_kubeconfig(data);
}
