//! Certificates, names and proxies that do not fit.

use std::net::Ipv4Addr;

use anyhow::{Context, Result, ensure};
use client_rs_client::{Request, RestClient};
use client_rs_tests::{Authority, Canned, Stage};
use client_rs_transport::{Config, Material, TlsOptions};
use tokio::net::TcpListener;

/// Returns the error of a client that requests the server's version.
async fn refusal(config: &Config) -> Result<String> {
    match version(config).await {
        Ok(()) => anyhow::bail!("it was let through"),
        Err(error) => Ok(format!("{error:#}")),
    }
}

async fn version(config: &Config) -> Result<()> {
    let answer = RestClient::from_config(config)?.send_raw(Request::get().abs_path(["/version"])).await?;
    ensure!(answer.body.starts_with(b"{"), "{answer:?}");
    Ok(())
}

fn with_tls(config: &Config, change: impl FnOnce(&mut TlsOptions)) -> Config {
    let mut config = config.clone();
    change(&mut config.tls);
    config
}

pub(super) async fn wrong_authority(stage: &Stage) -> Result<()> {
    version(stage.config()).await?;
    let other = Authority::unknown()?.certificate()?;
    let wrong = with_tls(stage.config(), |tls| tls.ca = Some(Material::Data(other.into())));
    let error = refusal(&wrong).await?;
    for part in ["certificate", "authority"] {
        ensure!(error.contains(part), "{part} is not in: {error}");
    }
    let none = with_tls(stage.config(), |tls| tls.ca = None);
    let error = refusal(&none).await?;
    ensure!(error.contains("certificate"), "{error}");
    let no_file = with_tls(stage.config(), |tls| tls.ca = Some(Material::File("/no/such/ca.crt".into())));
    let error = refusal(&no_file).await?;
    ensure!(error.contains("/no/such/ca.crt"), "{error}");
    let garbage = with_tls(stage.config(), |tls| tls.ca = Some(Material::Data("not PEM".into())));
    let error = refusal(&garbage).await?;
    ensure!(error.to_lowercase().contains("certificate"), "{error}");
    Ok(())
}

pub(super) async fn server_name(stage: &Stage) -> Result<()> {
    let named = |name: &str| with_tls(stage.config(), |tls| tls.server_name = Some(name.to_owned()));
    version(&named("kubernetes.default.svc")).await.context("a name that the certificate has")?;
    let error = refusal(&named("elsewhere.example.com")).await?;
    for part in ["certificate", "elsewhere.example.com"] {
        ensure!(error.contains(part), "{part} is not in: {error}");
    }
    Ok(())
}

pub(super) async fn insecure(stage: &Stage) -> Result<()> {
    let insecure = with_tls(stage.config(), |tls| {
        tls.ca = None;
        tls.insecure_skip_verify = true;
        tls.server_name = Some("elsewhere.example.com".to_owned());
    });
    version(&insecure).await?;
    let both = with_tls(stage.config(), |tls| tls.insecure_skip_verify = true);
    let error = refusal(&both).await?;
    for part in ["certificate-authority", "insecure-skip-tls-verify"] {
        ensure!(error.contains(part), "{part} is not in: {error}");
    }
    Ok(())
}

pub(super) async fn mismatch(stage: &Stage) -> Result<()> {
    let authority = stage.config().server.authority().context("no host")?.to_string();
    let plain = stage.config().clone().with_server(format!("http://{authority}").parse()?);
    let error = refusal(&plain).await?;
    ensure!(error.contains(&authority), "{error}");
    let canned = Canned::eager("HTTP/1.1 400 Bad Request\r\n\r\n").await?;
    let host = canned.config()?.server.authority().context("no host")?.to_string();
    let tls = stage.config().clone().with_server(format!("https://{host}").parse()?);
    let error = refusal(&tls).await?;
    ensure!(error.contains("TLS") && error.contains(&host), "{error}");
    Ok(())
}

pub(super) async fn proxies(stage: &Stage) -> Result<()> {
    let through = |proxy: String| -> Result<Config> { Ok(stage.config().clone().with_proxy(proxy.parse()?)) };
    // A port whose listener was just closed.
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?.local_addr()?;
    for scheme in ["http", "https", "socks5"] {
        let error = refusal(&through(format!("{scheme}://user:hunter2@{closed}"))?).await?;
        ensure!(error.contains(&closed.to_string()), "{scheme}: {error}");
        ensure!(!error.contains("hunter2"), "{scheme}: the password is shown: {error}");
    }
    for (status, expected) in [("403 Forbidden", "403"), ("407 Proxy Authentication Required", "407")] {
        let proxy = Canned::answer(status, "text/plain", b"no").await?;
        let address = proxy.config()?.server.authority().context("no host")?.to_string();
        let error = refusal(&through(format!("http://{address}"))?).await?;
        for part in [expected, &address] {
            ensure!(error.contains(part), "{part} is not in: {error}");
        }
    }
    let garbage = Canned::eager("what?").await?;
    let address = garbage.config()?.server.authority().context("no host")?.to_string();
    for scheme in ["http", "socks5"] {
        let error = refusal(&through(format!("{scheme}://{address}"))?).await?;
        ensure!(error.contains(&address), "{scheme}: {error}");
    }
    Ok(())
}
