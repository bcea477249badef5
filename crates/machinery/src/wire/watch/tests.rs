use proptest::prelude::*;

use super::*;
use crate::Map;
use crate::wire::testing::{Probe, ProbeList};
use crate::wire::{Decoding, Message, to_envelope};

type Outcome = (Vec<(WatchEventType, Vec<u8>)>, Result<(), DecodeError>);

/// Reads a watch in chunks of the given sizes, over and over.
fn read(format: Format, bytes: &[u8], sizes: &[usize], max_frame: usize) -> Outcome {
    let mut watch = WatchDecoder::with_options(format, WatchOptions { max_frame });
    let mut events = Vec::new();
    let mut sizes = sizes.iter().copied().cycle();
    let mut rest = bytes;
    loop {
        let size = sizes.next().unwrap_or(usize::MAX).min(rest.len());
        let (chunk, behind) = rest.split_at(size);
        rest = behind;
        watch.push(chunk);
        loop {
            match watch.next_event() {
                Ok(Some(event)) => events.push((event.kind, event.object.to_vec())),
                Ok(None) => break,
                Err(error) => return (events, Err(error)),
            }
        }
        if rest.is_empty() {
            return (events, watch.finish());
        }
    }
}

fn whole(format: Format, bytes: &[u8]) -> Outcome {
    read(format, bytes, &[usize::MAX], WatchOptions::default().max_frame)
}

/// A frame as the API server writes it.
fn frame(format: Format, kind: &str, object: &[u8]) -> Vec<u8> {
    match format {
        Format::Json => {
            let mut writer = json::Writer::new();
            writer.begin_object();
            writer.key("type");
            writer.text(kind);
            writer.key("object");
            writer.raw(object);
            writer.end_object();
            [writer.into_vec(), vec![b'\n']].concat()
        }
        Format::Protobuf => {
            let mut writer = protobuf::Writer::new();
            writer.put(object);
            writer.tag_bytes(1, 0);
            writer.tag_bytes(2, 0);
            let end = writer.len();
            writer.put(kind.as_bytes());
            writer.tag_bytes(1, end);
            let length = u32::try_from(writer.len()).unwrap().to_be_bytes();
            [&length[..], writer.as_slice()].concat()
        }
    }
}

fn encoded(format: Format, probe: &Probe) -> Vec<u8> {
    match format {
        Format::Json => probe.to_json(),
        Format::Protobuf => to_envelope(probe),
    }
}

fn stream(format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, kind) in ["ADDED", "MODIFIED", "DELETED", "NOVEL"].into_iter().enumerate() {
        let probe = Probe::named("default", &format!("probe-{index}"));
        bytes.extend(frame(format, kind, &encoded(format, &probe)));
    }
    bytes
}

const BOTH: [Format; 2] = [Format::Json, Format::Protobuf];

#[test]
fn events_come_out_as_they_went_in() {
    for format in BOTH {
        let mut watch = WatchDecoder::new(format);
        watch.push(&stream(format));
        let mut seen = Vec::new();
        while let Some(event) = watch.next_event().unwrap() {
            assert_eq!(event.peek().resource_version(), "42");
            let decoded = event.decode::<Probe>(&mut Decoding::new());
            let name = decoded.ok().and_then(|event| event.object().map(|probe| probe.metadata.name.clone()));
            seen.push((event.kind.to_string(), event.peek().key(), name.unwrap_or_default().to_string()));
        }
        watch.finish().unwrap();
        let expected = [
            ("ADDED", "default/probe-0", "probe-0"),
            ("MODIFIED", "default/probe-1", "probe-1"),
            ("DELETED", "default/probe-2", "probe-2"),
            ("NOVEL", "default/probe-3", ""),
        ];
        assert_eq!(seen, expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())), "{format}");
    }
}

#[test]
fn bookmarks_have_a_version_and_mark_the_end_of_the_list() {
    for format in BOTH {
        for (value, complete) in [("true", true), ("false", false)] {
            let mut probe = Probe::default();
            probe.metadata.resource_version = "77".into();
            probe.metadata.annotations =
                [("k8s.io/initial-events-end", value.into())].into_iter().collect::<Map<_>>();
            let mut watch = WatchDecoder::new(format);
            watch.push(&frame(format, "BOOKMARK", &encoded(format, &probe)));
            let event = watch.next_event().unwrap().unwrap();
            let expected =
                WatchEvent::Bookmark { resource_version: "77".into(), initial_events_end: complete };
            assert_eq!(event.decode::<Probe>(&mut Decoding::new()), Ok(expected));
        }
    }
}

#[test]
fn an_error_event_carries_the_status() {
    for format in BOTH {
        // Any message serves as a status here.
        let status = Probe::named("", "status");
        let mut watch = WatchDecoder::new(format);
        watch.push(&frame(format, "ERROR", &encoded(format, &status)));
        let event = watch.next_event().unwrap().unwrap().decode::<ProbeList>(&mut Decoding::new()).unwrap();
        assert_eq!(event.kind(), WatchEventType::Error);
        let event = event.map_error(|status| status.decode::<Probe>().unwrap());
        assert_eq!(event, WatchEvent::Error(status));
    }
}

#[test]
fn an_object_that_does_not_decode_does_not_end_the_watch() {
    for format in BOTH {
        let mut watch = WatchDecoder::new(format);
        watch.push(&stream(format));
        let event = watch.next_event().unwrap().unwrap();
        assert!(event.decode::<ProbeList>(&mut Decoding::new()).is_err());
        assert!(watch.next_event().unwrap().is_some());
    }
}

#[test]
fn json_events_may_be_laid_out_in_any_way() {
    let text = b" \n{\"object\" : {\"a\":\"}\"} , \"extra\":[{}],\"type\":\"ADDED\"}\t\r\n{\"\\u0074ype\":\"x\",\"object\":7}\
        {\"type\":\"ADDED\",\"object\":null}\n ";
    let (events, end) = whole(Format::Json, text);
    let expected: Vec<(WatchEventType, Vec<u8>)> = vec![
        (WatchEventType::Added, br#"{"a":"}"}"#.to_vec()),
        (WatchEventType::Unknown("x".into()), b"7".to_vec()),
        (WatchEventType::Added, b"null".to_vec()),
    ];
    assert_eq!((events, end), (expected, Ok(())));
}

#[test]
fn a_frame_that_is_not_an_event_ends_the_watch() {
    for (format, bytes) in [
        (Format::Json, &b"[]"[..]),
        (Format::Json, b"{}"),
        (Format::Json, br#"{"type":"ADDED"}"#),
        (Format::Json, br#"{"object":{}}"#),
        (Format::Json, br#"{"type":1,"object":{}}"#),
        (Format::Json, br#"{"type":"ADDED","object":{]}"#),
        (Format::Json, br#"{"type":"ADDED" "object":{}}"#),
        (Format::Protobuf, b"\0\0\0\0"),
        (Format::Protobuf, b"\0\0\0\x03\x0a\x01A"),
        (Format::Protobuf, b"\0\0\0\x04\x12\x02\x0a\x00"),
        (Format::Protobuf, b"\0\0\0\x07\x0a\x01\xff\x12\x02\x0a\x00"),
        (Format::Protobuf, b"\0\0\0\x02\x08\x01"),
        (Format::Protobuf, b"\0\0\0\x02\x10\x01"),
    ] {
        let mut watch = WatchDecoder::new(format);
        watch.push(bytes);
        let error = watch.next_event().unwrap_err();
        assert_ne!(error.kind(), &DecodeErrorKind::Truncated, "{bytes:?}");
        watch.push(&stream(format));
        assert_eq!(watch.next_event().unwrap_err(), error);
        assert_eq!(watch.buffer.capacity(), 0);
    }
}

#[test]
fn a_frame_over_the_limit_is_refused_however_it_is_cut() {
    for format in BOTH {
        let bytes = stream(format);
        let (events, _) = whole(format, &bytes);
        let prefix = if format == Format::Protobuf { 4 } else { 1 };
        let longest = frame(format, "MODIFIED", &events[1].1).len() - prefix;
        for size in [1, 7, longest, usize::MAX] {
            assert_eq!(read(format, &bytes, &[size], longest).0.len(), 4, "{format} {size}");
            let (events, end) = read(format, &bytes, &[size], longest - 1);
            assert_eq!(end.unwrap_err().kind(), &DecodeErrorKind::TooLarge { limit: longest - 1 });
            assert_eq!(events.len(), 1, "{format} {size}");
        }
    }
}

#[test]
fn a_hostile_length_allocates_nothing() {
    let mut watch = WatchDecoder::with_options(Format::Protobuf, WatchOptions { max_frame: usize::MAX });
    watch.push(&[0xff; 8]);
    assert!(watch.next_event().unwrap().is_none());
    assert!(watch.buffer.capacity() < 1024);
    assert_eq!(watch.finish().unwrap_err().kind(), &DecodeErrorKind::Truncated);
    let mut watch = WatchDecoder::new(Format::Protobuf);
    watch.push(&[0xff; 4]);
    assert!(matches!(watch.next_event().unwrap_err().kind(), DecodeErrorKind::TooLarge { .. }));
}

#[test]
fn a_giant_frame_does_not_keep_its_memory() {
    for format in BOTH {
        let mut probe = Probe::named("default", "giant");
        probe.text = "x".repeat(8 << 20).into();
        let mut watch = WatchDecoder::new(format);
        for chunk in frame(format, "ADDED", &encoded(format, &probe)).chunks(64 << 10) {
            watch.push(chunk);
            while let Some(event) = watch.next_event().unwrap() {
                assert!(event.object.len() > 8 << 20);
            }
        }
        assert!(watch.buffer.capacity() <= 1 << 20, "{}", watch.buffer.capacity());
        watch.finish().unwrap();
    }
}

#[test]
fn events_left_unread_are_not_lost_in_silence() {
    for format in BOTH {
        let mut watch = WatchDecoder::new(format);
        watch.push(&stream(format));
        assert!(matches!(watch.finish().unwrap_err().kind(), DecodeErrorKind::Invalid(_)));
    }
}

#[test]
fn cut_anywhere_it_is_truncated_unless_between_frames() {
    for format in BOTH {
        let bytes = stream(format);
        let (all, _) = whole(format, &bytes);
        let mut clean = 0;
        for cut in 0..=bytes.len() {
            let (events, end) = whole(format, &bytes[..cut]);
            assert_eq!(events, all[..events.len()]);
            match end {
                Ok(()) => clean += 1,
                Err(error) => assert_eq!(error.kind(), &DecodeErrorKind::Truncated, "{format} {cut}"),
            }
        }
        // At both ends and between the frames; in JSON also before each line break.
        assert_eq!(clean, if format == Format::Json { 9 } else { 5 });
    }
}

#[test]
fn debug_shows_no_content() {
    let event =
        RawWatchEvent { format: Format::Json, kind: WatchEventType::Added, object: br#"{"secret":1}"# };
    assert_eq!(format!("{event:?}"), "RawWatchEvent(ADDED, 12 bytes of application/json)");
    let status = RawStatus { format: Format::Protobuf, bytes: b"secret"[..].into() };
    assert_eq!(format!("{status:?}"), "RawStatus(6 bytes of application/vnd.kubernetes.protobuf)");
}

proptest! {
    #[test]
    fn any_chunking_yields_the_same_events(sizes in prop::collection::vec(0usize..200, 0..8), last in 1usize..50) {
        let sizes = [sizes, vec![last]].concat();
        for format in BOTH {
            let bytes = stream(format);
            prop_assert_eq!(read(format, &bytes, &sizes, 1 << 20), whole(format, &bytes));
        }
    }

    #[test]
    fn any_chunking_of_a_broken_watch_ends_the_same(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        sizes in prop::collection::vec(1usize..80, 1..8),
        limit in 1usize..400,
    ) {
        for format in BOTH {
            let mut bytes = stream(format);
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            let expected = read(format, &bytes, &[usize::MAX], limit);
            prop_assert_eq!(read(format, &bytes, &sizes, limit), expected);
        }
    }
}
