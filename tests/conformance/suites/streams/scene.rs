//! A kubelet, a namespace and a pod on it.

use anyhow::Result;
use client_rs_api::core::v1::Pod;
use client_rs_client::{Api, RestClient};
use client_rs_tests::{Kubelet, KubeletOptions, Stage};
use sha2::{Digest, Sha256};

pub(super) struct Scene {
    pub(super) client: RestClient,
    pub(super) kubelet: Kubelet,
    pub(super) namespace: String,
    pub(super) pods: Api<Pod>,
}

/// The pod that every scene has, with the containers `app` and `side`.
pub(super) const POD: &str = "web";

/// Plays on a kubelet of the scenario's own, whose node is taken away afterwards.
pub(super) async fn on_kubelet<F>(stage: &Stage, options: KubeletOptions, play: F) -> Result<()>
where
    F: AsyncFnOnce(&Scene) -> Result<()>,
{
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let kubelet = Kubelet::start(&client, options).await?;
    kubelet.pod(&client, &namespace, POD, &["app", "side"]).await?;
    let pods = Api::<Pod>::namespaced(&client, namespace.as_str());
    let scene = Scene { client, kubelet, namespace, pods };
    let played = play(&scene).await;
    scene.kubelet.unregister(&scene.client).await?;
    played
}

/// Bytes that do not compress, the same for the same seed.
pub(super) fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut bytes = vec![0; length];
    random.fill(&mut bytes);
    bytes
}

pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}
