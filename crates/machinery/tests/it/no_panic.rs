//! A few thousand broken inputs for everything that reads a peer's bytes; `fuzz/` feeds the same functions for
//! as long as one likes.

use client_rs_machinery::wire::{Format, ListDecoder, WatchDecoder};
use client_rs_test_inputs::hostile;
use proptest::prelude::*;

const JSON_LIST: &[u8] = br#"11{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"x\u00e9"},
    "items":[{"metadata":{"name":"a","namespace":"b","labels":{"c":"d\"}"}}},{"spec":[1,-2.5e3,null,true]},{}]}"#;

const PROTOBUF_LIST: &[u8] = b"11k8s\0\x0a\x0d\x0a\x02v1\x12\x07PodList\x12\x1d\x0a\x06\x12\x017\x1a\x01x\
    \x12\x0f\x0a\x0d\x0a\x01a\x1a\x01b\x5a\x05\x0a\x01c\x12\x00\x12\x02\x0a\x00\x1a\x00\x22\x00";

const JSON_WATCH: &[u8] =
    br#"11{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"1"}}}
    {"object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}},"type":"BOOKMARK"}"#;

const PROTOBUF_WATCH: &[u8] =
    b"11\0\0\0\x20\x0a\x05ADDED\x12\x17\x0a\x15k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x02\x0a\x00\x1a\x00\
    \0\0\0\x0f\x0a\x07DELETED\x12\x04\x0a\x02{}";

const FIELDS_V1: &[u8] =
    br#"{"f:a":{".":{},"k:{\"n\":1,\"p\":\"x\"}":{".":{},"f:b":{}},"v:\"s\"":{},"i:0":{}},"x:":{}}"#;

#[test]
fn the_unmutated_inputs_are_valid() {
    let fields = client_rs_machinery::managed_fields::FieldSet::parse(FIELDS_V1).unwrap();
    assert_eq!(fields.len(), 5);
    for (format, bytes, items) in [(Format::Json, JSON_LIST, 3), (Format::Protobuf, PROTOBUF_LIST, 2)] {
        let mut list = ListDecoder::new(format);
        list.push(&bytes[2..]);
        while list.next_item().unwrap().is_some() {}
        let summary = list.finish().unwrap();
        assert_eq!((summary.kind.as_str(), summary.resource_version.as_str()), ("PodList", "7"));
        assert_eq!(summary.items, items);
    }
    for (format, bytes) in [(Format::Json, JSON_WATCH), (Format::Protobuf, PROTOBUF_WATCH)] {
        let mut watch = WatchDecoder::new(format);
        watch.push(&bytes[2..]);
        let mut events = 0;
        while watch.next_event().unwrap().is_some() {
            events += 1;
        }
        assert_eq!(events, 2);
        watch.finish().unwrap();
    }
}

/// A valid input with a few bytes changed, some taken out, some put in, and the rest cut off.
fn broken(valid: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    let places = prop::collection::vec((any::<prop::sample::Index>(), 0..3u8, interesting()), 0..6);
    (places, prop::option::weighted(0.3, any::<prop::sample::Index>())).prop_map(move |(places, cut)| {
        let mut bytes = valid.to_vec();
        for (place, what, byte) in places {
            let place = place.index(bytes.len());
            match what {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ if bytes.len() > 1 => drop(bytes.remove(place)),
                _ => {}
            }
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        bytes
    })
}

fn interesting() -> impl Strategy<Value = u8> {
    prop_oneof![any::<u8>(), prop::sample::select(&b"{}[],:\"\\u0 \n\x00\x01\x0a\x12\x7f\x80\xff"[..])]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn protobuf(data in prop_oneof![broken(&PROTOBUF_LIST[2..]), broken(&PROTOBUF_LIST[25..])]) {
        hostile::protobuf(&data);
    }

    #[test]
    fn json(data in prop_oneof![broken(&JSON_LIST[2..]), broken(b"[\"\\ud83d\\ude00\",-0.5e+7,{\"\":[[]]}]")]) {
        hostile::json(&data);
    }

    #[test]
    fn json_list(data in broken(JSON_LIST)) {
        hostile::json_list(&data);
    }

    #[test]
    fn protobuf_list(data in broken(PROTOBUF_LIST)) {
        hostile::protobuf_list(&data);
    }

    #[test]
    fn json_watch(data in broken(JSON_WATCH)) {
        hostile::json_watch(&data);
    }

    #[test]
    fn protobuf_watch(data in broken(PROTOBUF_WATCH)) {
        hostile::protobuf_watch(&data);
    }

    #[test]
    fn quantity(data in prop_oneof![broken(b"-12.50Ki"), broken(b"1e-3"), broken(b"9223372036854775807E")]) {
        hostile::quantity(&data);
    }
    #[test]
    fn fields_v1(data in broken(FIELDS_V1)) {
        hostile::fields_v1(&data);
    }
    #[test]
    fn selector(data in prop_oneof![
        broken(b"app in (web, api),!old,tier notin (x),n>5,a==b,c!=d"),
        broken(b"metadata.name=a\\,b\\=c,status.phase!=Running"),
    ]) {
        hostile::selector(&data);
    }
}
