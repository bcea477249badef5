//! The reconcile loop, and the demo that shows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_cache::FactoryOptions;
use client_rs_client::Api;
use client_rs_client::wait::conditions;
use client_rs_controller::{Action, Context, Controller, Finalizing, Manager, finalizer};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::ObjectKey;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_tests::{Backend, Stage};
use client_rs_workloads::{Workloads, WorkloadsOptions};
use tokio_util::sync::CancellationToken;

const LIMIT: Duration = Duration::from_secs(30);
const FINALIZER: &str = "client-rs.example/cleanup";

pub(super) async fn finalizers(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let maps = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    let options = FactoryOptions::default().with_namespaces([namespace.as_str()]);
    let factory = SharedInformerFactory::with_options(rest, options);
    let informer = factory.of::<ConfigMap>();
    let (lister, cleaned) = (informer.lister(), Arc::new(AtomicUsize::new(0)));
    let (api, count) = (maps.clone(), Arc::clone(&cleaned));
    let controller =
        Controller::new("finalizers", informer.informer()).reconcile(move |key: ObjectKey, _: Context| {
            let (api, lister, count) = (api.clone(), lister.clone(), Arc::clone(&count));
            async move {
                // Others put maps into a namespace too.
                let Ok(map) = lister.get(&key) else {
                    return Ok(Action::done());
                };
                if map.metadata.labels.get("guarded").is_none() {
                    return Ok(Action::done());
                }
                finalizer(&api, FINALIZER, &map, |step| async move {
                    if let Finalizing::CleanUp(_) = step {
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(Action::done())
                })
                .await
            }
        });
    let stop = CancellationToken::new();
    let manager = Manager::new(&factory).controller(controller);
    let running = tokio::spawn(manager.run(stop.clone()));
    for name in ["a", "b"] {
        let labels = [("guarded", client_rs_machinery::Str::from("yes"))].into_iter().collect();
        let metadata = ObjectMeta { name: name.into(), labels, ..ObjectMeta::EMPTY };
        maps.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await?;
        let path = "{.metadata.finalizers[0]}";
        maps.wait_for(name, conditions::jsonpath(path, Some(FINALIZER))?, LIMIT).await?;
        ensure!(maps.delete(name).await?.object().is_some(), "{name} went without its finalizer's consent");
        maps.wait_for(name, conditions::deleted(), LIMIT).await?;
    }
    stop.cancel();
    running.await??;
    let cleaned = cleaned.load(Ordering::Relaxed);
    ensure!(cleaned >= 2, "cleaned up {cleaned} times");
    Ok(())
}

/// It starts a server of its own, whichever the stage has.
pub(super) async fn demo(_: &Stage) -> Result<()> {
    told(&["krs", "demo", "--start-delay", "0"], 7).await
}

pub(super) async fn demo_on_cluster(stage: &Stage) -> Result<()> {
    // The embedded server comes without controllers: ours bring it to life.
    let own = match stage.backend() {
        Backend::Embedded => Some(Workloads::start(stage.client()?, WorkloadsOptions::default()).await?),
        Backend::Real => None,
    };
    let path = stage.kubeconfig()?.to_string_lossy().into_owned();
    let outcome = told(&["krs", "demo", "--on-cluster", "--yes", "--kubeconfig", &path], 5).await;
    if let Some(own) = own {
        own.shutdown().await?;
    }
    outcome
}

/// Runs `krs`, and checks the end of its output.
async fn told(arguments: &[&str], claims: usize) -> Result<()> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code =
        client_rs_cli::run(arguments.iter().copied(), client_rs_cli::Streams::plain(&mut out, &mut err))
            .await;
    let (out, err) = (String::from_utf8(out)?, String::from_utf8(err)?);
    ensure!(code == 0, "it ended with {code}: {err}\n{out}");
    let held = out.lines().filter(|line| line.trim_start().starts_with("yes  ")).count();
    ensure!(held == claims, "{held} claims held, not {claims}:\n{out}");
    ensure!(out.contains("cache = server: yes (12 pods)"), "{out}");
    ensure!(!out.contains('\u{1b}'), "colours where nobody looks:\n{out}");
    Ok(())
}
