//! Failures of streams.

use anyhow::{Context, Result, ensure};
use client_rs_client::streams::ProcessError;
use client_rs_client::{Error, Verb};
use client_rs_tests::{KubeletOptions, Proxy, Stage};
use tokio::io::AsyncReadExt;

use super::scene::{POD, Scene, on_kubelet};

pub(super) async fn nothing_there(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let gone = scene.pods.exec("nobody", ["ls"]).await;
        ensure!(matches!(&gone, Err(error) if error.is_not_found()), "{gone:?}");
        for container in [Some("nobody"), None] {
            let mut request = scene.pods.exec(POD, ["ls"]);
            if let Some(container) = container {
                request = request.container(container);
            }
            let refused = request.await;
            let is_bad = matches!(&refused, Err(Error::Api { error, .. }) if error.is_bad_request());
            ensure!(is_bad, "{container:?}: {refused:?}");
        }
        let mut process = scene.pods.exec(POD, ["no-such-program"]).container("app").await?;
        let failed = process.wait().await;
        ensure!(matches!(&failed, Err(ProcessError::Failed(error)) if error.code() == 500), "{failed:?}");
        let forward = scene.pods.port_forward("nobody").await;
        ensure!(matches!(&forward, Err(error) if error.is_not_found()), "{forward:?}");
        Ok(())
    })
    .await
}

pub(super) async fn cut(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let proxy = Proxy::start(stage.config()).await?;
        let client = client_rs_client::RestClient::from_config(&proxy.config(stage.config())?)?;
        let pods = client_rs_client::Api::namespaced(&client, scene.namespace.as_str());
        let pods: client_rs_client::Api<client_rs_api::core::v1::Pod> = pods;
        let mut process = pods.exec(POD, ["sh", "-c", "echo on; exec sleep 1000"]).container("app").await?;
        let mut stdout = process.stdout.take().context("stdout")?;
        let mut on = [0; 3];
        stdout.read_exact(&mut on).await?;
        proxy.cut();
        let read = stdout.read(&mut on).await;
        ensure!(read.is_err(), "{read:?} where the connection was cut");
        let ended = process.wait().await;
        ensure!(matches!(ended, Err(ProcessError::Connection(_))), "{ended:?}");
        Ok(())
    })
    .await
}

pub(super) async fn upgrade_required(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        // A plain request where streams are served.
        let request = scene.pods.request(Verb::Get).name(POD).subresource(["exec"]);
        let request = request.param("command", "ls").param("container", "app").param("stdout", "true");
        let refused = scene.client.send_raw(request).await;
        ensure!(matches!(&refused, Err(Error::Api { error, .. }) if error.is_bad_request()), "{refused:?}");
        Ok(())
    })
    .await
}
