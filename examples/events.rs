//! Records events of a pod, and shows how many similar ones are stored on the server:
//! `cargo run --example events -- NAMESPACE POD`.

use client_rs::api::core::v1::{Event, Pod};
use client_rs::client::{Request, RestClient};
use client_rs::events::{EventBroadcaster, EventType, RestEventSink, eventf};
use client_rs::machinery::meta::v1::ListOptions;
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(namespace), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("usage: events NAMESPACE POD".into());
    };
    let client = RestClient::from_config(&Config::infer()?)?;
    let pod: Pod = client.send(Request::get().of::<Pod>().namespace(&namespace).name(&name)).await?;

    let broadcaster = EventBroadcaster::new();
    broadcaster.start_event_watcher(|event| println!("recorded: {}", event.message))?;
    broadcaster.start_recording_to_sink(RestEventSink::new(client.clone()))?;
    let recorder = broadcaster.recorder("client-rs-example", "");

    // Equal events are counted, similar ones are combined from the tenth on. Recording never waits.
    for number in 0..5 {
        recorder.event(&pod, EventType::Normal, "Looked", "had a look");
        eventf!(recorder, &pod, EventType::Warning, "Worried", "reason number {number} to worry");
    }
    // Delivers the queued events, in a bounded time.
    broadcaster.shutdown().await;

    let options = ListOptions {
        field_selector: format!("involvedObject.name={name},source=client-rs-example").into(),
        ..ListOptions::EMPTY
    };
    let list = Request::get().of::<Event>().namespace(&namespace).options(&options);
    for event in client.send_list::<Event>(list).await?.items {
        println!("stored:   {}x {} {}", event.count, event.reason, event.message);
    }
    Ok(())
}
