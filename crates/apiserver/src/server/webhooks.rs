//! Webhook servers in the same test as the API server.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{Json, Unstructured, json};

use super::Server;
use super::manifests::apply;
use crate::access::certificate_to_pem;

impl Server {
    /// Writes a certificate for `localhost` and the loopback addresses, and its key, as `tls.crt` and `tls.key`
    /// into a folder, for a webhook server in the same test. This server's authority signs it, and
    /// [`install_webhooks`](Self::install_webhooks) adds the authority to the configuration. It works without
    /// [`ServerOptions::tls`](super::ServerOptions::tls) too. Writes files with blocking calls.
    pub fn write_serving_certificate(&self, folder: &Path) -> io::Result<()> {
        let names = ["localhost", "127.0.0.1", "::1"];
        let (certificate, key) = self.api.authority.issue_serving("client-rs-webhook", &names)?;
        std::fs::write(folder.join("tls.crt"), certificate_to_pem(&certificate))?;
        std::fs::write(folder.join("tls.key"), key.to_pem())
    }

    /// Installs a `ValidatingWebhookConfiguration` or `MutatingWebhookConfiguration`, or a `CustomResourceDefinition` with a
    /// conversion webhook, whose webhooks are at this address of this machine, with the paths in the configuration. So a
    /// test can use the manifests of a real cluster. The webhook server needs the certificate of
    /// [`write_serving_certificate`](Self::write_serving_certificate).
    ///
    /// An existing object of the same name is replaced. Fails if the configuration is malformed or the server refuses it.
    pub async fn install_webhooks(&self, configuration: &Json, address: SocketAddr) -> io::Result<()> {
        let bundle = STANDARD.encode(self.api.authority.pem()?);
        let moved = moved(configuration, reachable(address), &bundle)
            .map_err(|wanted| io::Error::new(io::ErrorKind::InvalidInput, wanted))?;
        let object = Unstructured::try_from(moved).map_err(io::Error::other)?;
        Box::pin(apply(&self.dynamic_client()?, &object)).await
    }
}

/// The configuration with its webhooks at this address.
fn moved(configuration: &Json, address: SocketAddr, bundle: &str) -> Result<Json, String> {
    let malformed = |_| "not an object".to_owned();
    let mut moved = configuration.clone();
    match configuration["kind"].as_str() {
        Some("ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration") => {
            let hooks = configuration["webhooks"].as_list().ok_or("no webhooks to install")?;
            let hooks = hooks.iter().map(|hook| here(hook, address, bundle));
            moved.set(&["webhooks"], hooks.collect::<Json>()).map_err(malformed)?;
        }
        Some("CustomResourceDefinition") => {
            let path = ["spec", "conversion", "webhook"];
            let hook = configuration.path(&path).ok_or("no conversion webhook to install")?;
            moved.set(&path, here(hook, address, bundle)).map_err(malformed)?;
        }
        other => return Err(format!("{} is not a webhook configuration", other.unwrap_or("nothing"))),
    }
    Ok(moved)
}

/// The webhook at this address, with its own path.
fn here(hook: &Json, address: SocketAddr, bundle: &str) -> Json {
    let client = &hook["clientConfig"];
    let path = match client["url"].as_str() {
        Some(url) => {
            let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
            rest.find('/').map(|at| rest[at..].to_owned())
        }
        None => client["service"]["path"].as_str().map(str::to_owned),
    };
    let url = format!("https://{address}{}", path.unwrap_or_default());
    let mut hook = hook.clone();
    let _ = hook.set(&["clientConfig"], json!({"url": url, "caBundle": bundle}));
    hook
}

/// The loopback address, for a webhook server that listens on all addresses.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_keeps_its_path() {
        let at = |client: Json| {
            here(&json!({"name": "a", "clientConfig": client}), ([127, 0, 0, 1], 9443).into(), "b")
        };
        for (client, url) in [
            (
                json!({"service": {"name": "s", "namespace": "n", "path": "/validate"}}),
                "https://127.0.0.1:9443/validate",
            ),
            (json!({"service": {"name": "s", "namespace": "n"}}), "https://127.0.0.1:9443"),
            (json!({"url": "https://hooks.example/a/b"}), "https://127.0.0.1:9443/a/b"),
        ] {
            let hook = at(client);
            assert_eq!((hook["clientConfig"]["url"].as_str(), hook["name"].as_str()), (Some(url), Some("a")));
            assert_eq!(hook["clientConfig"]["caBundle"].as_str(), Some("b"));
        }
        let service = json!({"service": {"name": "s", "namespace": "n", "path": "/convert"}});
        let definition = json!({
            "kind": "CustomResourceDefinition",
            "spec": {"group": "g", "conversion": {"strategy": "Webhook", "webhook": {"clientConfig": service}}},
        });
        let installed = moved(&definition, ([127, 0, 0, 1], 9443).into(), "b").unwrap();
        let client = &installed["spec"]["conversion"]["webhook"]["clientConfig"];
        assert_eq!(client["url"].as_str(), Some("https://127.0.0.1:9443/convert"));
        assert_eq!(installed["spec"]["group"].as_str(), Some("g"));
        let none = json!({"kind": "CustomResourceDefinition", "spec": {}});
        assert!(moved(&none, ([127, 0, 0, 1], 1).into(), "b").unwrap_err().contains("no conversion webhook"));
        assert_eq!(reachable(([0, 0, 0, 0], 1).into()), ([127, 0, 0, 1], 1).into());
    }
}
