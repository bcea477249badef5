//! Lists.

use super::*;

#[tokio::test]
async fn lists_are_read_whole_and_item_by_item() {
    for format in [Format::Json, Format::Protobuf] {
        let bytes = pods(20).encode(format);
        for size in [1, 100, bytes.len()] {
            let answer = || reply(200, format.media_type(), chunks(&bytes, size, false));
            let client = Server::new([answer(), answer()]).client();
            let listed: Listed<Pod> = client.send_list(list()).await.unwrap();
            assert_eq!(listed.items, *pods(20).items);
            assert_eq!(listed.metadata, pods(0).metadata);
            assert_eq!(listed.metadata.shard_info.as_ref().unwrap().selector, "the first half");
            let mut stream = client.list_stream::<Pod>(list()).await.unwrap();
            let mut count = 0;
            while let Some(item) = stream.try_next().await.unwrap() {
                assert_eq!(item, ListItem::Object(pod(&format!("p{count}"))));
                count += 1;
            }
            assert_eq!((count, stream.summary().unwrap().items), (20, 20));
        }
    }
}

#[tokio::test]
async fn items_arrive_before_the_list_has_ended() {
    let bytes = pods(3).to_json();
    let cut = bytes.len() - 10;
    let client = Server::new([json(200, chunks(&bytes[..cut], 64, true))]).client();
    let mut stream = client.list_stream::<Pod>(list()).await.unwrap();
    assert_eq!(stream.try_next().await.unwrap(), Some(ListItem::Object(pod("p0"))));
    assert!(stream.summary().is_none());
}

#[tokio::test]
async fn a_list_that_breaks_off_is_an_error_and_not_a_short_list() {
    for format in [Format::Json, Format::Protobuf] {
        let bytes = pods(3).encode(format);
        let answer = reply(200, format.media_type(), chunks(&bytes[..bytes.len() - 20], 64, false));
        let error = Server::new([answer]).client().send_list::<Pod>(list()).await.unwrap_err();
        assert!(matches!(error, Error::Decode { .. }), "{error}");
    }
    let answer = json(200, failure(500, "InternalError").to_json());
    let error = Server::new([answer]).client().send_list::<Pod>(list()).await.unwrap_err();
    assert!(error.to_string().contains("expected a list, found Status"), "{error}");
}

#[tokio::test]
async fn a_bad_item_is_reported_and_fails_only_a_whole_list() {
    let text = r#"{"kind":"PodList","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"},"spec":1},{}],"metadata":{}}"#;
    let client = Server::new([json(200, text), json(200, text)]).client();
    let error = client.send_list::<Pod>(list()).await.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error}");
    let mut stream = client.list_stream::<Pod>(list()).await.unwrap();
    let mut kinds = Vec::new();
    while let Some(item) = stream.try_next().await.unwrap() {
        kinds.push(match item {
            ListItem::Object(_) => "object".to_owned(),
            ListItem::Bad(bad) => format!("bad {} {}", bad.index, bad.name),
        });
    }
    assert_eq!(kinds, ["object", "bad 1 b", "object"]);
}

#[tokio::test]
async fn managed_fields_are_left_out_on_request() {
    let text = r#"{"kind":"PodList","items":[{"metadata":{"name":"a","managedFields":[{"manager":"m"}]}}],"metadata":{}}"#;
    let client = Server::new([json(200, text), json(200, text)]).client();
    for (strip_managed_fields, left) in [(false, 1), (true, 0)] {
        let options = DecodeOptions { strip_managed_fields, ..DecodeOptions::default() };
        let mut stream = client.list_stream_with::<Pod>(list(), options).await.unwrap();
        let Some(ListItem::Object(pod)) = stream.try_next().await.unwrap() else { panic!("no pod") };
        assert_eq!(pod.metadata.managed_fields.len(), left);
    }
}
