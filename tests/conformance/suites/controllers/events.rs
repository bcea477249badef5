//! Events on a server.

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::{Event, ObjectReference};
use client_rs_api::events::v1::Event as EventV1;
use client_rs_client::{Request, RestClient};
use client_rs_events::events_v1::{self, AdaptedRecorder, EventBroadcasterAdapter};
use client_rs_events::{EventBroadcaster, EventBroadcasterOptions, EventType, RestEventSink, eventf};
use client_rs_tests::Stage;

fn pod(namespace: &str) -> ObjectReference {
    ObjectReference {
        kind: "Pod".into(),
        api_version: "v1".into(),
        namespace: namespace.into(),
        name: "web".into(),
        uid: "d3b07384-d9a0-4c3e-8a3a-0c1f2b3d4e5f".into(),
        ..ObjectReference::EMPTY
    }
}

async fn stored(client: &RestClient, namespace: &str, reason: &str) -> Result<Vec<Event>> {
    let listed = client.send_list::<Event>(Request::get().of::<Event>().namespace(namespace)).await?;
    Ok(listed.items.into_iter().filter(|event| event.reason == reason).collect())
}

pub(super) async fn core_v1(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let broadcaster = EventBroadcaster::with_options(
        EventBroadcasterOptions::default().with_flush_timeout(std::time::Duration::from_secs(30)),
    );
    broadcaster.start_recording_to_sink(RestEventSink::new(client.clone()))?;
    let recorder = broadcaster.recorder("conformance", "here");
    // Two types, so that each has a budget of its own of 25.
    for number in 0..40 {
        eventf!(recorder, pod(&namespace), EventType::Warning, "Similar", "message {number}");
        if number < 20 {
            recorder.event(pod(&namespace), EventType::Normal, "Equal", "the same");
        }
    }
    broadcaster.shutdown().await;

    let equal = stored(&client, &namespace, "Equal").await?;
    ensure!(equal.len() == 1 && equal[0].count == 20, "{equal:?}");
    ensure!(equal[0].source.component == "conformance" && equal[0].message == "the same", "{equal:?}");
    let similar = stored(&client, &namespace, "Similar").await?;
    let (combined, single): (Vec<_>, Vec<_>) =
        similar.into_iter().partition(|event| event.message.starts_with("(combined from similar events): "));
    // Nine of their own; sixteen of the rest were sent before the budget was spent.
    ensure!(single.len() == 9 && single.iter().all(|event| event.count == 1), "{single:?}");
    ensure!(combined.len() == 1 && combined[0].count == 16, "{combined:?}");
    ensure!(combined[0].message.ends_with("message 24"), "{combined:?}");
    Ok(())
}

pub(super) async fn events_v1(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let options = events_v1::EventBroadcasterOptions::default()
        .with_flush_timeout(std::time::Duration::from_secs(30))
        .with_retry_sleep(std::time::Duration::from_millis(200));
    let broadcaster = events_v1::EventBroadcaster::with_options(options);
    broadcaster.start_recording_to_sink(events_v1::RestEventSink::new(client.clone()))?;
    let recorder = broadcaster.recorder("conformance");
    let say = |number: usize| {
        let note = format_args!("note {number}");
        recorder.event(pod(&namespace), None, EventType::Normal, "Bound", "Binding", note);
    };
    say(0);
    // The series differs from the first event only after that is stored.
    client_rs_tests::eventually("the first event", || async {
        ensure!(stored(&client, &namespace, "Bound").await?.len() == 1);
        Ok(())
    })
    .await?;
    (1..7).for_each(say);
    broadcaster.shutdown().await;
    let listed = client.send_list::<EventV1>(Request::get().of::<EventV1>().namespace(&namespace)).await?;
    let bound: Vec<_> = listed.items.into_iter().filter(|event| event.reason == "Bound").collect();
    ensure!(bound.len() == 1, "{bound:?}");
    let series = bound[0].series.as_ref().context("the event has no series")?;
    ensure!(series.count == 7 && bound[0].note == "note 0" && bound[0].action == "Binding", "{bound:?}");
    Ok(())
}

pub(super) async fn adapter(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let adapter = EventBroadcasterAdapter::new(client.clone()).await;
    adapter.start_recording_to_sink()?;
    let recorder = adapter.recorder("conformance");
    ensure!(matches!(recorder, AdaptedRecorder::EventsV1(_)), "the server has events.k8s.io/v1");
    recorder.event(pod(&namespace), None, EventType::Normal, "Adapted", "Adapting", "by the newer API");
    adapter.older_recorder("conformance").event(
        pod(&namespace),
        EventType::Normal,
        "Older",
        "by the older one",
    );
    adapter.shutdown().await;
    ensure!(stored(&client, &namespace, "Adapted").await?.len() == 1, "it is not there");
    ensure!(stored(&client, &namespace, "Older").await?.len() == 1, "the older one is not there");
    Ok(())
}
