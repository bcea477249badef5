//! Files and channels as inputs, and reductions.

use std::time::Duration;

use client_rs_collections::{ChannelEvent, FileOptions, Graph, Incomplete, LiveSet};
use tokio::sync::mpsc;

fn content(graph: &Graph, set: &LiveSet<String, u32>) -> Vec<(String, u32)> {
    let mut content: Vec<_> = graph.snapshot().iter(set).map(|(key, value)| (key.clone(), **value)).collect();
    content.sort_unstable();
    content
}

/// Lines of a name and a number.
fn lines(text: &[u8]) -> Result<Vec<(String, u32)>, String> {
    let line = |line: &str| {
        let (name, number) = line.split_once('=').ok_or("a line has no `=`")?;
        assert_ne!(name, "panic", "on purpose");
        Ok((name.to_owned(), number.parse().map_err(|_| "not a number")?))
    };
    String::from_utf8_lossy(text).lines().map(line).collect()
}

/// Waits for a condition, as long as it takes on the paused clock.
async fn until(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..1000 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("never: {what}");
}

#[tokio::test(start_paused = true)]
async fn a_file_is_followed_and_keeps_its_last_good_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    let write = |text: &str| {
        let next = folder.path().join("next");
        std::fs::write(&next, text).unwrap();
        std::fs::rename(&next, &path).unwrap();
    };
    let graph = Graph::new();
    let options = FileOptions::default().with_max_size(100_u64);
    let weights = graph.file_with("weights", &path, lines, options);
    let doubled = graph.map("doubled", &weights, |_, weight, _| 2 * **weight);
    let running = graph.spawn();

    // Without the file, the graph has not synced.
    until("the missing file is noticed", || graph.complete().is_err()).await;
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert!(!graph.has_synced());
    write("web=3\ndb=1");
    graph.synced().await;
    until("everything can be read", || graph.complete().is_ok()).await;
    let pairs = |pairs: &[(&str, u32)]| -> Vec<(String, u32)> {
        pairs.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
    };
    let mut observer = graph.observe(&doubled);
    assert_eq!(observer.take().unwrap().list.len(), 2);

    // Entries that are no longer in the file leave the collection, in one epoch.
    let epoch = graph.epoch();
    write("web=4\nqueue=2");
    until("the change is there", || content(&graph, &weights) == pairs(&[("queue", 2), ("web", 4)])).await;
    assert_eq!(graph.epoch(), epoch + 1);
    assert_eq!(observer.take().unwrap().list.len(), 3);

    for bad in ["web=x", "panic=1", &"x=1\n".repeat(100)] {
        write(bad);
        until("the error is reported", || graph.complete().is_err()).await;
        let error = graph.complete().unwrap_err();
        assert!(
            matches!(&error, Incomplete::Unreadable { collection, .. } if collection == "weights"),
            "{error}"
        );
        assert_eq!(content(&graph, &weights), pairs(&[("queue", 2), ("web", 4)]), "{bad}");
        write("web=4\nqueue=2");
        until("it is fine again", || graph.complete().is_ok()).await;
    }
    assert!(observer.take().is_none(), "nothing has changed");
    std::fs::remove_file(&path).unwrap();
    until("the file is missing", || graph.complete().is_err()).await;
    assert_eq!(content(&graph, &weights).len(), 2);
    running.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_file_whose_entries_panic_keeps_its_last_good_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights");
    std::fs::write(&path, "web=1").unwrap();
    let graph = Graph::new();
    // The iterator parses, after the function has returned.
    let parse = |text: &[u8]| {
        let text: Vec<_> = String::from_utf8_lossy(text).lines().map(str::to_owned).collect();
        Ok::<_, String>(text.into_iter().flat_map(|line| lines(line.as_bytes()).expect("on purpose")))
    };
    let weights = graph.file("weights", &path, parse);
    let running = graph.spawn();
    graph.synced().await;
    for (bad, good) in [("panic=1", 2), ("web=x", 3)] {
        std::fs::write(&path, bad).unwrap();
        until("the error is reported", || graph.complete().is_err()).await;
        assert!(matches!(graph.complete(), Err(Incomplete::Unreadable { .. })));
        std::fs::write(&path, format!("web={good}")).unwrap();
        until("it is fine again", || graph.complete().is_ok()).await;
        until("the change is there", || content(&graph, &weights) == [("web".to_owned(), good)]).await;
    }
    running.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_channel_is_followed_until_one_side_ends() {
    let graph = Graph::new();
    let (sender, receiver) = mpsc::channel(8);
    let weights = graph.channel::<String, u32>("weights", receiver);
    let total = graph.reduce("total", &weights, |_, weight| *weight, |one, other| one + other);
    let running = graph.spawn();
    let send = async |event| sender.send(event).await.unwrap();
    send(ChannelEvent::Insert("a".to_owned(), 1)).await;
    until("the entry is there", || content(&graph, &weights).len() == 1).await;
    assert!(!graph.has_synced());
    send(ChannelEvent::Synced).await;
    graph.synced().await;

    send(ChannelEvent::Replace(vec![("b".to_owned(), 2), ("c".to_owned(), 3)])).await;
    send(ChannelEvent::Insert("d".to_owned(), 4)).await;
    send(ChannelEvent::Remove("b".to_owned())).await;
    until("all changes are there", || graph.get(&total, &()).as_deref() == Some(&7)).await;

    // More than the channel can hold.
    for number in 0..100 {
        send(ChannelEvent::Insert("d".to_owned(), number)).await;
    }
    until("the last one counts", || graph.get(&total, &()).as_deref() == Some(&102)).await;

    // The channel ends with its collection.
    drop((weights, total));
    graph.flush();
    sender.closed().await;
    running.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_channel_without_senders_keeps_its_content() {
    let graph = Graph::new();
    let (sender, receiver) = mpsc::channel(8);
    let weights = graph.channel::<String, u32>("weights", receiver);
    let running = graph.spawn();
    sender.send(ChannelEvent::Replace(vec![("a".to_owned(), 1)])).await.unwrap();
    drop(sender);
    graph.synced().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(content(&graph, &weights), [("a".to_owned(), 1)]);
    running.shutdown().await;
}

#[test]
fn a_reduction_equals_recomputation_and_costs_a_part() {
    let graph = Graph::new();
    let numbers = graph.input::<u32, u64>("numbers");
    let largest = graph.reduce("largest", &numbers, |_, number| *number, |one, other| *one.max(other));
    assert_eq!(graph.get(&largest, &()), None);
    let mut random = fastrand::Rng::with_seed(7);
    let mut model = std::collections::BTreeMap::new();
    for _ in 0..500 {
        graph.update(|batch| {
            for _ in 0..random.usize(1..5) {
                let key = random.u32(0..200);
                if random.bool() {
                    let value = random.u64(0..1000);
                    model.insert(key, value);
                    batch.insert(&numbers, key, value);
                } else {
                    model.remove(&key);
                    batch.remove(&numbers, &key);
                }
            }
        });
        assert_eq!(graph.get(&largest, &()).as_deref(), model.values().max());
    }
    graph.update(|batch| batch.replace(&numbers, (0..10_000).map(|key| (key, u64::from(key)))));
    let computed = |name: &str| {
        graph.state().collections.into_iter().find(|one| one.name == name).expect("it exists").computed
    };
    let before = computed("largest, in parts");
    graph.update(|batch| batch.insert(&numbers, 1, 5));
    assert_eq!(computed("largest, in parts"), before + 1, "one part of 256");
    graph.update(|batch| batch.replace(&numbers, [] as [(u32, u64); 0]));
    assert_eq!(graph.get(&largest, &()), None);
}
