//! Logs.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::PodLogOptions;
use client_rs_client::streams::{FollowOptions, FollowedLogs, LogSource};
use client_rs_tests::{KubeletOptions, Stage};

use super::scene::{POD, Scene, on_kubelet};

pub(super) async fn followed(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let (kubelet, namespace) = (&scene.kubelet, scene.namespace.as_str());
        for number in 0..5 {
            kubelet.log(namespace, POD, "app", &format!("line {number}"));
        }
        let options = || PodLogOptions { container: "app".into(), ..PodLogOptions::EMPTY };
        let all = scene.pods.log(POD).options(options()).await?.bytes().await?;
        ensure!(all == "line 0\nline 1\nline 2\nline 3\nline 4\n", "{all:?}");
        let tail = PodLogOptions { tail_lines: Some(2), ..options() };
        let tail = scene.pods.log(POD).options(tail).await?.bytes().await?;
        ensure!(tail == "line 3\nline 4\n", "{tail:?}");
        let follow = PodLogOptions { follow: true, tail_lines: Some(1), ..options() };
        let mut lines = scene.pods.log(POD).options(follow).await?.lines();
        ensure!(lines.try_next().await?.as_deref() == Some(&b"line 4"[..]));
        kubelet.log(namespace, POD, "app", "later");
        ensure!(lines.try_next().await?.as_deref() == Some(&b"later"[..]));
        kubelet.end_log(namespace, POD, "app");
        ensure!(lines.try_next().await?.is_none(), "it ends with the container");
        Ok(())
    })
    .await
}

pub(super) async fn merged(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let (kubelet, namespace) = (&scene.kubelet, scene.namespace.as_str());
        let source = |container: &str| LogSource { pod: POD.into(), container: container.into() };
        let options = FollowOptions { retry_after: Duration::from_millis(100), ..FollowOptions::default() };
        for container in ["app", "side"] {
            kubelet.log(namespace, POD, container, &format!("{container} 0"));
        }
        let mut logs = FollowedLogs::new(&scene.pods, ["app", "side"].map(source), &options);
        let mut seen = BTreeMap::<String, Vec<String>>::new();
        for number in 1..=5 {
            while seen.values().map(Vec::len).sum::<usize>() < 2 * number {
                let line = logs.next().await.context("the logs have ended")??;
                let text = String::from_utf8_lossy(&line.line).into_owned();
                seen.entry(line.source.container).or_default().push(text);
            }
            kubelet.cut_logs(namespace, POD, "app");
            for container in ["app", "side"] {
                kubelet.log(namespace, POD, container, &format!("{container} {number}"));
            }
        }
        for (container, lines) in &seen {
            let expected: Vec<_> = (0..5).map(|number| format!("{container} {number}")).collect();
            ensure!(*lines == expected, "{container}: {lines:?}");
        }
        // With the pod they end.
        scene.pods.delete(POD).await?;
        kubelet.until_gone(&scene.client, namespace, POD).await?;
        for container in ["app", "side"] {
            kubelet.end_log(namespace, POD, container);
        }
        while let Some(line) = logs.next().await {
            line?;
        }
        Ok(())
    })
    .await
}
