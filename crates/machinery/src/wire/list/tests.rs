use proptest::prelude::*;

use super::*;
use crate::wire::testing::{Probe, ProbeList};
use crate::wire::{Envelope, Message, to_envelope};

type Outcome = (Vec<Vec<u8>>, Result<ListSummary, DecodeError>);

/// Reads a list in chunks of the given sizes, over and over.
fn read(format: Format, bytes: &[u8], sizes: &[usize], max_item: usize) -> Outcome {
    let mut list = ListDecoder::with_options(format, ListOptions { max_item });
    let mut items = Vec::new();
    let mut sizes = sizes.iter().copied().cycle();
    let mut rest = bytes;
    loop {
        let size = sizes.next().unwrap_or(usize::MAX).clamp(1, rest.len().max(1)).min(rest.len());
        let (chunk, behind) = rest.split_at(size);
        rest = behind;
        list.push(chunk);
        loop {
            match list.next_item() {
                Ok(Some(item)) => items.push(item.to_vec()),
                Ok(None) => break,
                Err(error) => return (items, Err(error)),
            }
        }
        if rest.is_empty() {
            return (items, list.finish());
        }
    }
}

/// Reads a JSON list's objects in chunks, each object from its beginning or only once its end is found.
fn objects(
    bytes: &[u8],
    sizes: &[usize],
    max_item: usize,
    ends_first: bool,
) -> (Vec<Result<Probe, BadItem>>, Result<ListSummary, DecodeError>) {
    let mut list = ListDecoder::with_options(Format::Json, ListOptions { max_item });
    let (mut found, mut cx) = (Vec::new(), Decoding::new());
    let mut sizes = sizes.iter().copied().cycle();
    let mut rest = bytes;
    loop {
        let (chunk, behind) = rest.split_at(sizes.next().unwrap_or(usize::MAX).min(rest.len()));
        rest = behind;
        list.push(chunk);
        loop {
            let next = if ends_first {
                list.next_with(|item| item.decode(&mut cx))
            } else {
                list.next_object(&mut cx)
            };
            match next {
                Ok(Some(object)) => found.push(object),
                Ok(None) => break,
                Err(error) => return (found, Err(error)),
            }
        }
        if rest.is_empty() {
            return (found, list.finish());
        }
    }
}

fn whole(format: Format, bytes: &[u8]) -> Outcome {
    read(format, bytes, &[usize::MAX], ListOptions::default().max_item)
}

fn json(text: &str) -> Outcome {
    whole(Format::Json, text.as_bytes())
}

fn texts(items: &[Vec<u8>]) -> Vec<&str> {
    items.iter().map(|item| std::str::from_utf8(item).unwrap()).collect()
}

fn probes(count: usize) -> ProbeList {
    let mut list = ProbeList::default();
    list.metadata.resource_version = "1000".into();
    list.metadata.continue_token = "next\"page".into();
    list.metadata.remaining_item_count = Some(7);
    list.items = (0..count).map(|index| Probe::named("default", &format!("probe-{index}"))).collect();
    list
}

fn encoded(list: &ProbeList, format: Format) -> Vec<u8> {
    match format {
        Format::Json => list.to_json(),
        Format::Protobuf => to_envelope(list),
    }
}

const BOTH: [Format; 2] = [Format::Json, Format::Protobuf];

#[test]
fn items_and_summary_come_out_as_they_went_in() {
    for format in BOTH {
        let list = probes(5);
        let (items, summary) = whole(format, &encoded(&list, format));
        let decoded: Vec<Probe> = items
            .iter()
            .map(|item| match format {
                Format::Json => Probe::from_json(item).unwrap(),
                Format::Protobuf => Probe::from_protobuf(item).unwrap(),
            })
            .collect();
        assert_eq!(decoded, list.items.to_vec());
        let summary = summary.unwrap();
        assert_eq!((summary.api_version.as_str(), summary.kind.as_str()), ("v1", "ProbeList"));
        assert_eq!(summary.resource_version, "1000");
        assert_eq!(summary.continue_token, "next\"page");
        assert_eq!(summary.remaining_item_count, Some(7));
        assert_eq!(summary.items, 5);
        assert!(!summary.metadata.is_empty());
    }
}

#[test]
fn the_shard_of_a_list_is_read() {
    let metadata = r#"{"shardInfo":{"other":[1],"selector":"half"},"resourceVersion":"5"}"#;
    let (_, summary) = json(&format!(r#"{{"kind":"L","metadata":{metadata},"items":[]}}"#));
    let summary = summary.unwrap();
    assert_eq!((summary.shard_selector.as_str(), summary.resource_version.as_str()), ("half", "5"));
    for empty in ["null", "{}", r#"{"selector":null}"#] {
        let text = format!(r#"{{"kind":"L","metadata":{{"shardInfo":{empty}}},"items":[]}}"#);
        assert_eq!(json(&text).1.unwrap().shard_selector, "", "{empty}");
    }
    let (_, refused) = json(r#"{"kind":"L","metadata":{"shardInfo":{"selector":7}},"items":[]}"#);
    assert!(refused.unwrap_err().to_string().contains("shardInfo"));
}

#[test]
fn json_keys_come_in_any_order() {
    let text = r#" {"items" : [ {"a":"]}"} , {} ,[1],"s", 3 ,null],"other":{"items":[{"deep":[]}],"x":"\"}"},
        "metadata":{"resourceVersion":"5"},"kind":"L","apiVersion":"v9"} "#;
    let (items, summary) = json(text);
    assert_eq!(texts(&items), [r#"{"a":"]}"}"#, "{}", "[1]", "\"s\"", "3", "null"]);
    let summary = summary.unwrap();
    assert_eq!((summary.kind.as_str(), summary.api_version.as_str()), ("L", "v9"));
    assert_eq!(summary.resource_version, "5");
    assert_eq!(summary.metadata, br#"{"resourceVersion":"5"}"#);
}

#[test]
fn a_list_may_have_no_items_and_no_metadata() {
    for text in [
        "{}",
        r#"{"items":null}"#,
        r#"{"items":[]}"#,
        r#"{"items":[ ],"metadata":null,"kind":null}"#,
        r#"{"\u0069tems":null}"#,
        r#"{"metadata":{"continue":null,"remainingItemCount":null,"resourceVersion":null}}"#,
    ] {
        let (items, summary) = json(text);
        assert_eq!(items.len(), 0);
        let summary = summary.unwrap();
        assert_eq!((summary.resource_version.as_str(), summary.remaining_item_count), ("", None), "{text}");
    }
    let (items, summary) = whole(Format::Protobuf, &to_envelope(&ProbeList::default()));
    assert_eq!((items.len(), summary.unwrap().kind.as_str()), (0, "ProbeList"));
}

#[test]
fn broken_json_framing_ends_the_list() {
    for (text, before) in [
        ("[]", 0),
        ("null", 0),
        (r#"{"items":{}}"#, 0),
        (r#"{"items":7}"#, 0),
        (r#"{"items":[{},]}"#, 1),
        (r#"{"items":[{} {}]}"#, 1),
        (r#"{"items":[{},{]},{}]}"#, 1),
        (r#"{"items":[,{}]}"#, 0),
        (r#"{"items":[{}]]"#, 1),
        (r#"{"items":[{}],"items":[{}]}"#, 1),
        (r#"{"items":[{}]} x"#, 1),
        (r#"{"items":[{}],}"#, 1),
        (r#"{"items" [{}]}"#, 0),
        ("{items:[{}]}", 0),
        (r#"{"kind":7}"#, 0),
        (r#"{"metadata":7}"#, 0),
        (r#"{"metadata":{"resourceVersion":7}}"#, 0),
        (r#"{"metadata":{"a" 7}}"#, 0),
        (r#"{"kind":"\x"}"#, 0),
    ] {
        let (items, summary) = json(text);
        let error = summary.unwrap_err();
        assert_ne!(error.kind(), &DecodeErrorKind::Truncated, "{text}: {error}");
        assert_eq!(items.len(), before, "{text}: {error}");
    }
}

#[test]
fn an_error_names_its_byte_in_the_whole_stream() {
    let text = format!(r#"{{"items":[{}{{}} x"#, "{},".repeat(1000));
    let (_, summary) = read(Format::Json, text.as_bytes(), &[7], 100);
    assert_eq!(summary.unwrap_err().offset(), Some(text.len() - 1));
}

#[test]
fn an_error_is_repeated_and_holds_no_memory() {
    let mut list = ListDecoder::new(Format::Json);
    list.push(b"nonsense");
    let first = list.next_item().unwrap_err();
    list.push(br#"{"items":[{}]}"#);
    assert_eq!(list.next_item().unwrap_err(), first);
    assert_eq!(list.buffer.capacity(), 0);
    assert_eq!(list.finish().unwrap_err(), first);
}

#[test]
fn items_left_unread_are_not_lost_in_silence() {
    let mut list = ListDecoder::new(Format::Json);
    list.push(br#"{"items":[{}]}"#);
    assert!(matches!(list.finish().unwrap_err().kind(), DecodeErrorKind::Invalid(_)));
}

#[test]
fn a_bad_item_is_named_and_its_neighbours_are_kept() {
    let json = br#"{"items":[{"metadata":{"name":"a"}},{"metadata":{"namespace":"n","name":"b"},"count":"x"},
        {"metadata":{"name":"c"}},7]}"#;
    let mut bad = Probe::named("n", "b").to_protobuf();
    bad.extend_from_slice(b"\x12\x02\xff\xff");
    let parts = [&Probe::named("", "a").to_protobuf(), &bad, &Probe::named("", "c").to_protobuf(), &vec![0]];
    let raw: Vec<u8> = parts
        .iter()
        .flat_map(|part| [&[0x12, u8::try_from(part.len()).unwrap_or_default()], part.as_slice()].concat())
        .collect();
    let sealed = Envelope { api_version: "v1", kind: "ProbeList", raw: &raw, ..Envelope::default() }.seal();
    for (format, bytes) in [(Format::Json, &json[..]), (Format::Protobuf, &sealed[..])] {
        let mut list = ListDecoder::new(format);
        list.push(bytes);
        let mut seen = Vec::new();
        while let Some(object) = list.next_object::<Probe>(&mut Decoding::new()).unwrap() {
            seen.push(match object {
                Ok(probe) => probe.metadata.name.to_string(),
                Err(bad) => format!("{}:{}/{}", bad.index, bad.namespace, bad.name),
            });
        }
        assert_eq!(seen, ["a", "1:n/b", "c", "3:/"], "{format}");
        assert_eq!(list.finish().unwrap().items, 4);
    }
}

#[test]
fn a_bad_item_has_its_key_and_its_error() {
    let mut list = ListDecoder::new(Format::Json);
    list.push(br#"{"items":[{"metadata":{"namespace":"n","name":"b"},"count":"x"}]}"#);
    let bad = list.next_object::<Probe>(&mut Decoding::new()).unwrap().unwrap().unwrap_err();
    let expected = "item 0 (n/b): can't decode Probe.count: expected an integer, found a string (at byte 49)";
    assert_eq!(bad.to_string(), expected);
}

#[test]
fn an_item_over_the_limit_ends_the_list_however_it_is_cut() {
    let item = format!(r#"{{"a":"{}"}}"#, "x".repeat(92));
    assert_eq!(item.len(), 100);
    let text = format!(r#"{{"other":"{}","items":[{{}},{item},{{}}]}}"#, "y".repeat(1000));
    for size in [1, 3, 99, 100, 101, usize::MAX] {
        let (items, summary) = read(Format::Json, text.as_bytes(), &[size], 100);
        assert_eq!((items.len(), summary.is_ok()), (3, true), "{size}");
        let (items, summary) = read(Format::Json, text.as_bytes(), &[size], 99);
        assert_eq!(items.len(), 1);
        assert_eq!(summary.unwrap_err().kind(), &DecodeErrorKind::TooLarge { limit: 99 });
    }
}

#[test]
fn a_hostile_length_allocates_nothing() {
    // An item that claims 60 MB inside a list that claims 8 EB, and then silence.
    let bytes = b"k8s\0\x12\x80\x80\x80\x80\x80\x80\x80\x80\x40\x12\x80\x8e\xce\x1cabc";
    let mut list = ListDecoder::new(Format::Protobuf);
    for byte in bytes {
        list.push(&[*byte]);
        assert_eq!(list.next_item().unwrap(), None);
    }
    assert!(list.buffer.capacity() < 1024, "{}", list.buffer.capacity());
    assert_eq!(list.finish().unwrap_err().kind(), &DecodeErrorKind::Truncated);
    let mut small = ListDecoder::with_options(Format::Protobuf, ListOptions { max_item: 1 << 20 });
    small.push(bytes);
    let error = small.next_item().unwrap_err();
    assert_eq!(error.kind(), &DecodeErrorKind::TooLarge { limit: 1 << 20 });
}

#[test]
fn memory_is_one_item_and_one_chunk() {
    for format in BOTH {
        let bytes = encoded(&probes(5000), format);
        let mut list = ListDecoder::new(format);
        let mut most = 0;
        let mut count = 0;
        for chunk in bytes.chunks(4096) {
            list.push(chunk);
            while list.next_item().unwrap().is_some() {
                count += 1;
            }
            most = most.max(list.buffer.capacity());
        }
        assert_eq!(list.finish().unwrap().items, 5000);
        assert_eq!(count, 5000);
        assert!(most <= 16 * 1024, "{format}: {most}");
    }
}

#[test]
fn unknown_keys_are_not_held() {
    let mut list = ListDecoder::with_options(Format::Json, ListOptions { max_item: 1024 });
    list.push(br#"{"other":["#);
    for _ in 0..10_000 {
        list.push(br#"{"a":"brackets ]]] in \"text\""},   "#);
        assert_eq!(list.next_item().unwrap(), None);
    }
    list.push(br#"1],"items":[{}]}"#);
    assert_eq!(list.next_item().unwrap(), Some(&b"{}"[..]));
    assert!(list.buffer.capacity() <= 1024, "{}", list.buffer.capacity());
    list.finish().unwrap();

    let mut list = ListDecoder::with_options(Format::Protobuf, ListOptions { max_item: 1024 });
    // Field 9, a million bytes, then one empty item; the envelope's own field 9 behind it.
    list.push(b"k8s\0\x12\xc6\x84\x3d\x4a\xc0\x84\x3d");
    for _ in 0..1000 {
        list.push(&[0; 1000]);
        assert_eq!(list.next_item().unwrap(), None);
    }
    list.push(b"\x12\x00\x4a\x01x");
    assert_eq!(list.next_item().unwrap(), Some(&b""[..]));
    assert_eq!(list.next_item().unwrap(), None);
    assert!(list.buffer.capacity() <= 4096, "{}", list.buffer.capacity());
    assert_eq!(list.finish().unwrap().items, 1);
}

#[test]
fn broken_protobuf_framing_ends_the_list() {
    for (bytes, what) in [
        (&b"{}"[..], "no magic"),
        (b"k8x\0", "no magic"),
        (b"k8s\0\x12\x03\x12\x05abcde", "an item longer than its list"),
        (b"k8s\0\x12\x02\x0a\x05abcde", "metadata longer than its list"),
        (b"k8s\0\x12\x01\x12\x00", "a header longer than its list"),
        (b"k8s\0\x12\x02\x10\x01", "an item that is a number"),
        (b"k8s\0\x12\x02\x08\x01", "metadata that is a number"),
        (b"k8s\0\x12\x01\x13", "a group"),
        (b"k8s\0\x10\x01", "a content that is a number"),
        (b"k8s\0\x12\x00\x12\x00", "two contents"),
        (b"k8s\0\x00\x00", "a field 0"),
        (b"k8s\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "a tag that never ends"),
        (b"k8s\0\x1a\x04gzip\x12\x00", "compressed"),
        (b"k8s\0\x22\x10application/json\x12\x00", "JSON in an envelope"),
        (b"k8s\0\x0a\x03\x0a\x01\xff\x12\x00", "a kind that is not text"),
        (b"k8s\0\x12\x05\x0a\x03\x12\x01\xff", "a version that is not text"),
    ] {
        let (items, summary) = whole(Format::Protobuf, bytes);
        assert_eq!(items.len(), 0, "{what}");
        assert_ne!(summary.unwrap_err().kind(), &DecodeErrorKind::Truncated, "{what}");
    }
}

#[test]
fn the_envelope_is_read_as_a_whole_one() {
    // Each field twice, the second time with less in it: the last record of a field wins, empty or not.
    let bytes = b"k8s\0\x0a\x08\x0a\x02v1\x12\x02AB\x0a\x02\x12\x00\x12\x04\x0a\x02\x12\x00\x1a\x00\x22\x00";
    let envelope = Envelope::open(bytes).unwrap();
    let (_, summary) = whole(Format::Protobuf, bytes);
    let summary = summary.unwrap();
    assert_eq!((summary.api_version.as_str(), summary.kind.as_str()), ("v1", ""));
    assert_eq!((envelope.api_version, envelope.kind), ("v1", ""));
}

#[test]
fn cut_anywhere_it_is_truncated() {
    for format in BOTH {
        let bytes = encoded(&probes(3), format);
        let (all, _) = whole(format, &bytes);
        for cut in 0..bytes.len() {
            let (items, summary) = whole(format, &bytes[..cut]);
            assert_eq!(items, all[..items.len()], "{format} {cut}");
            // The two empty fields behind a protobuf list are optional.
            let left = bytes.len() - cut;
            if format == Format::Protobuf && [4, 2].contains(&left) {
                assert_eq!(summary.unwrap().items, 3);
            } else {
                assert_eq!(summary.unwrap_err().kind(), &DecodeErrorKind::Truncated, "{format} {cut}");
            }
        }
    }
}

/// JSON text of a value, with white space at all allowed places.
fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i32>().prop_map(|number| number.to_string()),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just(r#""\u00e9\ud83d\ude00\\""#.to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{} ]", items.join(" ,\n"))),
            prop::collection::vec((any::<String>(), inner), 0..4).prop_map(|entries| {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| format!("{} : {value}", serde_json::to_string(key).unwrap()))
                    .collect();
                format!("{{ {}}}", entries.join(","))
            }),
        ]
    })
}

/// A list's text, and its items'.
fn any_list() -> impl Strategy<Value = (String, Vec<String>)> {
    let item = any_json();
    let items = prop::collection::vec(item, 0..5);
    let others = prop::collection::vec(any_json(), 0..3);
    (items, others, any::<prop::sample::Index>()).prop_map(|(items, others, place)| {
        let mut entries: Vec<String> =
            others.iter().enumerate().map(|(index, value)| format!("\"other{index}\":{value}")).collect();
        entries.push(r#""metadata":{"resourceVersion":"9"}"#.to_owned());
        entries.insert(place.index(entries.len() + 1), format!("\"items\":[{}]", items.join(",\t")));
        (format!(" {{{}}} \n", entries.join(" , ")), items)
    })
}

#[test]
fn an_item_is_as_deep_as_it_may_be_however_it_is_read() {
    for depth in [4_000, 4_999, 5_000, 9_997, 9_998, 9_999, 10_000, 10_001] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let text = format!(r#"{{"items":[{{}},{{"other":{deep}}},{{}}],"metadata":{{}}}}"#);
        let careful = objects(text.as_bytes(), &[usize::MAX], 1 << 20, true);
        assert_eq!(objects(text.as_bytes(), &[usize::MAX], 1 << 20, false), careful, "{depth}");
        assert_eq!(objects(text.as_bytes(), &[1000], 1 << 20, false), careful, "{depth}");
    }
}

proptest! {
    #[test]
    fn objects_are_the_same_whether_or_not_their_ends_are_looked_for(
        items in prop::collection::vec(
            prop_oneof![
                4 => "[a-z]{0,60}".prop_map(|name| {
                    String::from_utf8(Probe::named("default", &name).to_json()).unwrap()
                }),
                1 => any_json(),
            ],
            0..12,
        ),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        sizes in prop::collection::vec(1usize..2000, 1..6),
        limit in prop_oneof![Just(1usize << 20), 1usize..200],
    ) {
        let mut text = format!(r#"{{"kind":"ProbeList","items":[{}],"metadata":{{}}}}"#, items.join(" ,")).into_bytes();
        for (place, byte) in &changes {
            let place = place.index(text.len());
            text[place] = *byte;
        }
        prop_assert_eq!(objects(&text, &sizes, limit, false), objects(&text, &[usize::MAX], limit, true));
    }

    #[test]
    fn any_chunking_of_json_yields_the_same_items(
        (text, items) in any_list(),
        sizes in prop::collection::vec(1usize..40, 1..8),
    ) {
        let (found, summary) = read(Format::Json, text.as_bytes(), &sizes, 1 << 20);
        prop_assert_eq!(texts(&found), items);
        prop_assert_eq!(summary.unwrap().resource_version, "9");
    }

    #[test]
    fn any_chunking_of_protobuf_yields_the_same_items(
        count in 0usize..6,
        sizes in prop::collection::vec(1usize..60, 1..8),
    ) {
        let bytes = encoded(&probes(count), Format::Protobuf);
        prop_assert_eq!(read(Format::Protobuf, &bytes, &sizes, 1 << 20), whole(Format::Protobuf, &bytes));
    }

    #[test]
    fn any_chunking_of_a_broken_list_ends_the_same(
        (text, _) in any_list(),
        count in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        sizes in prop::collection::vec(1usize..40, 1..8),
        limit in 1usize..200,
    ) {
        let protobuf = encoded(&probes(count), Format::Protobuf);
        for (format, mut bytes) in [(Format::Json, text.into_bytes()), (Format::Protobuf, protobuf)] {
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            let expected = read(format, &bytes, &[usize::MAX], limit);
            prop_assert_eq!(read(format, &bytes, &sizes, limit), expected);
        }
    }

    #[test]
    fn json_cut_anywhere_is_truncated((text, items) in any_list(), cut in any::<prop::sample::Index>()) {
        let end = text.trim_end().len();
        let (found, summary) = whole(Format::Json, &text.as_bytes()[..cut.index(end)]);
        let expected: Vec<_> = items.iter().take(found.len()).map(String::as_bytes).collect();
        prop_assert_eq!(found, expected);
        let error = summary.unwrap_err();
        prop_assert_eq!(error.kind(), &DecodeErrorKind::Truncated);
    }
}
