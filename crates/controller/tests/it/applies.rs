//! Applies that are sent once more, or not, after an update of the status.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::any::Any;
use std::sync::{Arc, Mutex};

use client_rs_api::core::v1::Pod;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::{Api, observe_writes};
use client_rs_machinery::{GroupResource, Object, ObjectKey, Write, WriteLog, WriteObserver, json};

/// A cache that has the last object that it was given.
#[derive(Default)]
struct Cache(Mutex<Option<Arc<Pod>>>);

impl Cache {
    fn put(&self, pod: &Pod) {
        *self.0.lock().unwrap() = Some(Arc::new(pod.clone()));
    }
}

impl WriteObserver for Cache {
    fn written(&self, _: &Write<'_>) {}

    fn cached(&self, _: &WriteLog, _: &GroupResource, _: &ObjectKey) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(self.0.lock().unwrap().clone()?)
    }
}

#[tokio::test(start_paused = true)]
async fn an_apply_is_sent_again_after_an_update_of_the_status_that_changes_a_label() {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let pods = Api::<Pod>::namespaced(&server.rest_client().unwrap(), "default");
    let document = || json!({"metadata": {"name": "a", "labels": {"app": "1"}}, "spec": {"containers": [{"name": "a", "image": "b"}]}});
    let cache = Arc::new(Cache::default());
    for (phase, label, is_sent) in [("Running", "1", false), ("Failed", "2", true)] {
        observe_writes(cache.clone(), async {
            let mut pod = pods.apply(document(), "m").force().await.unwrap();
            pod.metadata.labels.insert("app", label.into());
            pod.status.make_mut().phase = phase.into();
            cache.put(&pods.update_status(pod).await.unwrap());
            server.controls().clear_requests();
            let again = pods.apply(document(), "m").force().await.unwrap();
            assert_eq!(again.label("app"), Some("1"), "{phase}");
        })
        .await;
        assert_eq!(server.controls().requests().len(), usize::from(is_sent), "{phase}");
    }
    assert_eq!(pods.get("a").await.unwrap().label("app"), Some("1"));
}
