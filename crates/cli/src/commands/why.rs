//! `krs why`

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use client_rs_api::core::v1::Pod;
use client_rs_client::streams::{ForwardTarget, ForwardedPort, Forwarder, ForwarderOptions};
use client_rs_client::{Api, Request, RestClient};
use client_rs_machinery::CauseType;
use client_rs_transport::Config;

use crate::arguments::patience;
use crate::pods::{self, For};
use crate::session::Session;
use crate::{GlobalArgs, Streams};

/// The port of `--debug-listen` in the examples.
pub(crate) const DEBUG_PORT: u16 = 8082;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of the controller
    #[arg(value_name = "CONTROLLER")]
    controller: String,
    /// The key: NAMESPACE/NAME, or NAME for objects without a namespace
    #[arg(value_name = "KEY")]
    key: String,
    /// The address of the manager's debug listener [default: `http://127.0.0.1:8082`]
    #[arg(long, value_name = "URL", conflicts_with = "from")]
    url: Option<String>,
    /// Ask the manager in a pod, through a forwarded port: POD, or TYPE/NAME of a workload
    #[arg(long, value_name = "TYPE/NAME")]
    from: Option<String>,
    /// The port of the debug listener in the pod
    #[arg(long, value_name = "PORT", default_value_t = DEBUG_PORT, requires = "from", value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// How long to wait until a pod is running
    #[arg(long, value_parser = patience, value_name = "TIME", default_value = "1m")]
    pod_running_timeout: Duration,
    /// Output format: text or json
    #[arg(long, short = 'o', value_name = "FORM", default_value = "text", value_parser = ["text", "json"])]
    output: String,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let text = match &args.from {
        None => {
            let url = args.url.clone().unwrap_or_else(|| format!("http://127.0.0.1:{DEBUG_PORT}"));
            ask(args, &url).await?
        }
        Some(from) => {
            let session = Session::open(global)?;
            let forwarder = forwarded(&session, from, args).await?;
            let local = forwarder.ports().first().and_then(|port| port.local.first().copied());
            let Some(local) = local else { bail!("no local port could be opened") };
            let answer = ask(args, &format!("http://{local}")).await;
            drop(forwarder);
            answer?
        }
    };
    write!(streams.out, "{text}")?;
    Ok(())
}

/// Sends the question to a debug listener.
async fn ask(args: &Args, url: &str) -> Result<String> {
    let uri: http::Uri = url.parse().with_context(|| format!("{url:?} is not a URL"))?;
    let client = RestClient::from_config(&Config::new(uri))?;
    let request = Request::get()
        .abs_path(["debug", "why"])
        .param("controller", args.controller.as_str())
        .param("key", args.key.as_str())
        .param("output", args.output.as_str());
    let response = client.send_raw(request).await.map_err(|error| {
        // A manager answers in plain text, which is not an error of an API server.
        let answer = error.api().and_then(|api| api.cause(&CauseType::UnexpectedServerResponse));
        match answer.map(|cause| cause.message.trim().to_owned()).filter(|text| !text.is_empty()) {
            Some(text) => anyhow!("the manager at {url} answered: {text}"),
            None => anyhow!(error)
                .context(format!("can't ask the manager at {url}: is it running with --debug-listen?")),
        }
    })?;
    Ok(String::from_utf8_lossy(&response.body).into_owned())
}

/// Forwards a free local port to the debug listener of a pod.
async fn forwarded(session: &Session, from: &str, args: &Args) -> Result<Forwarder> {
    let object = pods::object(session, from).await?;
    let found = pods::of(session, &object, For::Work, args.pod_running_timeout, "ask").await?;
    let Some(pod) = found.first() else { bail!("no pod was found") };
    let api = Api::<Pod>::namespaced(session.client.rest(), pod.metadata.namespace.clone());
    let target = ForwardTarget::Pod(pod.metadata.name.to_string());
    let mut options = ForwarderOptions::default();
    options.addresses.push(std::net::Ipv4Addr::LOCALHOST.into());
    let port = ForwardedPort { local: 0, remote: args.port };
    Ok(Forwarder::start_with(&api, target, &[port], options).await?)
}

#[cfg(test)]
mod tests {
    use client_rs_cache::InformerFactory;
    use client_rs_controller::{CancellationToken, Manager, ManagerOptions};

    use super::super::parsed::{parsed, try_parsed};
    use super::*;

    #[test]
    fn the_address_and_a_pod_exclude_each_other() {
        let error = try_parsed::<Args>(&["c", "a/b", "--url=http://x", "--from=deploy/x"]).unwrap_err();
        assert!(error.to_string().contains("cannot be used with"), "{error}");
        assert!(try_parsed::<Args>(&["c", "a/b", "-o", "yaml"]).is_err());
        assert!(try_parsed::<Args>(&["c"]).is_err());
        assert_eq!(parsed::<Args>(&["c", "a/b", "--from=deploy/x"]).port, DEBUG_PORT);
    }

    #[tokio::test]
    async fn an_answer_comes_from_the_debug_listener_and_an_unknown_controller_is_an_error() {
        // A free port, which the manager takes.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let options = ManagerOptions::default().with_debug_listen(free);
        let (stop, url) = (CancellationToken::new(), format!("http://{free}"));
        let manager = Manager::with_options(InformerFactory::new(), options);
        let running = tokio::spawn(manager.run(stop.clone()));
        let args = parsed::<Args>(&["missing", "a/b"]);
        let error = loop {
            // Until the manager listens.
            match ask(&args, &url).await.unwrap_err() {
                error if format!("{error:#}").contains("refused") => tokio::task::yield_now().await,
                error => break format!("{error:#}"),
            }
        };
        assert!(error.contains("the manager at http") && error.contains("no controller"), "{error}");
        stop.cancel();
        running.await.unwrap().unwrap();
    }
}
