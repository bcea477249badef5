use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::*;

fn skips(text: &[u8]) -> Result<(), DecodeError> {
    let mut reader = Reader::new(text);
    reader.skip().and_then(|()| reader.end())
}

/// The document as `serde_json` would hold it.
fn value(reader: &mut Reader<'_>) -> Result<Value, DecodeError> {
    Ok(match reader.peek() {
        Some(b'n') => {
            assert!(reader.take_null()?);
            Value::Null
        }
        Some(b't' | b'f') => Value::Bool(reader.boolean()?),
        Some(b'"') => Value::String(reader.text()?.into_owned()),
        Some(b'[') => {
            reader.begin_array()?;
            let (mut first, mut items) = (true, Vec::new());
            while reader.next_element(&mut first)? {
                items.push(value(reader)?);
            }
            Value::Array(items)
        }
        Some(b'{') => {
            reader.begin_object()?;
            let (mut first, mut entries) = (true, serde_json::Map::new());
            while let Some(key) = reader.next_key(&mut first)? {
                entries.insert(key.into_owned(), value(reader)?);
            }
            Value::Object(entries)
        }
        _ => {
            let mut ahead = reader.clone();
            match ahead.integer() {
                Ok(number) => {
                    *reader = ahead;
                    Value::from(number)
                }
                Err(_) => Value::from(reader.float()?),
            }
        }
    })
}

#[test]
fn the_grammar_accepts() {
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-1",
        "10",
        "1.5",
        "-1.5",
        "1e5",
        "1E5",
        "1e+5",
        "1e-5",
        "1.5e5",
        "0.0",
        "0e0",
        "123456789012345678901234567890",
        "1e999",
        "\"\"",
        "\"a\"",
        "\"\\\"\"",
        "\"\\\\\"",
        r#""\/\b\f\n\r\t""#,
        r#""\u0000""#,
        r#""\uD83D\uDE00""#,
        r#""\ud83d""#,
        r#""\ude00\ud83d""#,
        "\"\u{7f}\"",
        "\"é\"",
        "[]",
        "[ ]",
        "[1]",
        "[1,2]",
        "[ 1 , 2 ]",
        "[[],[[]]]",
        "{}",
        "{ }",
        r#"{"a":1}"#,
        r#"{ "a" : 1 , "b" : [ ] }"#,
        r#"{"":{}}"#,
        r#"{"a":1,"a":2}"#,
        " \t\r\n1 \t\r\n",
    ] {
        assert_eq!(skips(text.as_bytes()), Ok(()), "{text}");
    }
}

#[test]
fn the_grammar_refuses() {
    for text in [
        "nul1",
        "True",
        "nulll",
        "truefalse",
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "1.e5",
        "1e",
        "1e+",
        "-",
        "--1",
        "0x10",
        "1_000",
        "NaN",
        "Infinity",
        "-Infinity",
        "'a'",
        r#""\x""#,
        r#""\u12g4""#,
        r#""\U0041""#,
        "\"\n\"",
        "\"\t\"",
        "\"\u{0}\"",
        "[,]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1,,2]",
        "[1}",
        "{]",
        "{,}",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{"a" 1}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a":1,,"b":2}"#,
        r#"{,"a":1}"#,
        "{a:1}",
        "{1:2}",
        r#"{"a"::1}"#,
        "]",
        "}",
        ":",
        ",",
        "1 2",
        "{}{}",
        "[] x",
        "\u{feff}1",
        "\u{a0}1",
        "//c\n1",
        "/*c*/1",
    ] {
        let error = skips(text.as_bytes()).unwrap_err();
        // A number that stops short wants more; nothing else here does.
        let short = ["1.", "1e", "1e+", "-"].contains(&text);
        assert_eq!(error.kind() == &DecodeErrorKind::Truncated, short, "{text}: {error}");
    }
}

#[test]
fn text_that_stops_is_truncated() {
    let text = r#"{"a":[true,false,null,-12.5e+3,"\u00e9\ud83d\ude00\"",{"b":{}}],"c":""}"#;
    for cut in 0..text.len() {
        let error = skips(&text.as_bytes()[..cut]).unwrap_err();
        assert_eq!(error.kind(), &DecodeErrorKind::Truncated, "{cut}");
        assert!(value(&mut Reader::new(&text.as_bytes()[..cut])).is_err(), "{cut}");
    }
}

#[test]
fn strings_are_unescaped() {
    for (text, expected) in [
        (r#""""#, ""),
        (r#""plain""#, "plain"),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\u0041\u00e9\u20AC""#, "Aé€"),
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\uD83D\uDE00x""#, "😀x"),
        (r#""\ud83d""#, "\u{FFFD}"),
        (r#""\ude00""#, "\u{FFFD}"),
        (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        (r#""\ud83d\u0041""#, "\u{FFFD}A"),
        (r#""\ud83d\n""#, "\u{FFFD}\n"),
        (r#""\ud83dx""#, "\u{FFFD}x"),
        (r#""\u0000""#, "\0"),
        (
            r#""long enough for more than one word \\ and behind it""#,
            "long enough for more than one word \\ and behind it",
        ),
    ] {
        assert_eq!(Reader::new(text.as_bytes()).text().unwrap(), expected, "{text}");
    }
    assert_eq!(Reader::new(b"\"a\xffb\"").text().unwrap(), "a\u{FFFD}b");
    assert_eq!(Reader::new(b"\"a\xff\\nb\"").text().unwrap(), "a\u{FFFD}\nb");
}

#[test]
fn a_string_is_copied_only_for_its_escapes() {
    assert!(matches!(Reader::new("\"héllo\"".as_bytes()).text(), Ok(Cow::Borrowed("héllo"))));
    assert!(matches!(Reader::new(br#""h\u00e9llo""#).text(), Ok(Cow::Owned(text)) if text == "héllo"));
}

#[test]
fn control_characters_in_a_string_are_refused_wherever_they_stand() {
    for length in 0..70 {
        for control in [0u8, 0x1f, b'\n'] {
            let plain = [b"\"".as_slice(), &vec![b'x'; length], &[control], b"x\""].concat();
            let escaped = [b"\"\\n".as_slice(), &vec![b'x'; length], &[control], b"x\""].concat();
            for text in [plain, escaped] {
                let error = Reader::new(&text).text().unwrap_err();
                assert_eq!(error.kind(), &DecodeErrorKind::Malformed(CONTROL));
                assert_eq!(skips(&text).unwrap_err().kind(), &DecodeErrorKind::Malformed(CONTROL));
            }
        }
    }
}

#[test]
fn integers_have_64_bits_and_no_fraction() {
    let integer = |text: &str| Reader::new(text.as_bytes()).integer();
    assert_eq!(integer(" 9223372036854775807"), Ok(i64::MAX));
    assert_eq!(integer("-9223372036854775808"), Ok(i64::MIN));
    assert_eq!(integer("-0"), Ok(0));
    for text in ["9223372036854775808", "-9223372036854775809", "99999999999999999999", "1.0", "1e3"] {
        assert!(matches!(integer(text).unwrap_err().kind(), DecodeErrorKind::Invalid(_)), "{text}");
    }
    assert_eq!(integer("\"1\"").unwrap_err().kind(), &wrong("an integer", "a string"));
}

#[test]
fn floats_are_finite() {
    let float = |text: &str| Reader::new(text.as_bytes()).float();
    assert_eq!(float("1.5e3"), Ok(1500.0));
    assert_eq!(float("1e-999"), Ok(0.0));
    assert!(matches!(float("1e999").unwrap_err().kind(), DecodeErrorKind::Invalid(_)));
    assert!(matches!(float("-1e999").unwrap_err().kind(), DecodeErrorKind::Invalid(_)));
}

#[test]
fn an_error_names_the_found_type() {
    for (text, found) in [
        ("{}", "an object"),
        ("[]", "an array"),
        ("\"\"", "a string"),
        ("1", "a number"),
        ("null", "null"),
        ("]", "punctuation"),
        ("?", "a byte that starts no JSON value"),
    ] {
        let error = Reader::new(text.as_bytes()).boolean().unwrap_err();
        assert_eq!(error.kind(), &wrong("a boolean", found));
        assert_eq!(error.offset(), Some(0));
    }
    assert_eq!(Reader::new(b"true").text().unwrap_err().kind(), &wrong("a string", "a boolean"));
    assert_eq!(Reader::new(b"  ").text().unwrap_err().kind(), &DecodeErrorKind::Truncated);
}

fn wrong(expected: &'static str, found: &'static str) -> DecodeErrorKind {
    DecodeErrorKind::WrongType { expected, found }
}

#[test]
fn raw_is_the_value_without_the_white_space_around_it() {
    let mut reader = Reader::new(b" {\"a\" : 1 } , [2]");
    assert_eq!(reader.raw().unwrap(), b"{\"a\" : 1 }");
    assert_eq!(reader.position(), 11);
    let mut scanner = Scanner::default();
    let mut reader = Reader::new(b" [1,\"]\" ] x");
    assert_eq!(reader.scan_raw(&mut scanner).unwrap(), b"[1,\"]\" ]");
    assert_eq!(reader.end().unwrap_err().kind(), &DecodeErrorKind::Trailing);
    assert_eq!(Reader::new(b"[1").scan_raw(&mut scanner).unwrap_err().kind(), &DecodeErrorKind::Truncated);
    assert_eq!(Reader::new(b" ").scan_raw(&mut scanner).unwrap_err().kind(), &DecodeErrorKind::Truncated);
    assert!(Reader::new(b"[}").scan_raw(&mut scanner).is_err());
}

#[test]
fn a_value_that_nobody_wants_is_skipped_to_its_end() {
    for (text, end) in [("[{\"f:a\":{\"]\":1}}] , 2", 17), (" null,", 5), (" \"[\",", 4), ("-1.5e3,", 6)] {
        let mut reader = Reader::new(text.as_bytes());
        assert_eq!((reader.skip_unread(), reader.position()), (Ok(()), end), "{text}");
    }
    let error = |text: &str| Reader::new(text.as_bytes()).skip_unread().unwrap_err().kind().clone();
    assert_eq!(error("[{\"a\":1}"), DecodeErrorKind::Truncated);
    assert_eq!(error(""), DecodeErrorKind::Truncated);
    assert!(matches!(error("[}"), DecodeErrorKind::Malformed(_)));
    assert!(Reader::new(b"nothing,").skip_unread().is_err());
}

#[test]
fn skipped_values_nest_to_a_limit() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |depth: usize| [open.repeat(depth), "1".into(), close.repeat(depth)].concat();
        assert_eq!(skips(nested(MAX_NESTING).as_bytes()), Ok(()));
        let error = skips(nested(MAX_NESTING + 1).as_bytes()).unwrap_err();
        assert_eq!(error.kind(), &DecodeErrorKind::TooDeep);
    }
}

/// A document of any shape.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e300..1e300f64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z\"\\\\\n\u{0}-\u{1f}é😀]{0,70}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Text that escapes every character of its strings.
fn escape_all(text: &str) -> String {
    let (mut escaped, mut in_string, mut behind_backslash) = (String::new(), false, false);
    for character in text.chars() {
        match character {
            '"' if !behind_backslash => {
                in_string = !in_string;
                escaped.push('"');
            }
            _ if !in_string || behind_backslash || character == '\\' => escaped.push(character),
            _ => {
                let mut units = [0; 2];
                let units = character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04X}"));
                escaped.extend(units);
            }
        }
        // The four digits of an escape are left alone by being hex digits of themselves.
        behind_backslash = in_string && character == '\\' && !behind_backslash;
    }
    escaped
}

proptest! {
    #[test]
    fn documents_read_as_serde_json_wrote_them(document in any_value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) };
        let text = text.unwrap();
        let mut reader = Reader::new(text.as_bytes());
        prop_assert_eq!(value(&mut reader).unwrap(), document);
        prop_assert_eq!(reader.end(), Ok(()));
        prop_assert_eq!(skips(text.as_bytes()), Ok(()));
        let mut reader = Reader::new(text.as_bytes());
        prop_assert_eq!(reader.scan_raw(&mut Scanner::default()).ok().map(<[u8]>::len), scanned(&text));
    }

    #[test]
    fn escaped_strings_read_as_plain_ones(plain in "[a-zA-Z0-9 é€😀\u{FFFD}{}\\[\\],:]{0,60}") {
        let text = escape_all(&serde_json::to_string(&plain).unwrap());
        prop_assert_eq!(Reader::new(text.as_bytes()).text().unwrap(), plain);
    }

    #[test]
    fn changed_documents_are_accepted_as_serde_json_does(
        document in any_value(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![any::<u8>(), prop::sample::select(&b"{}[],:\"\\eE+-.019utn \x1f"[..])]), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut text = serde_json::to_vec(&document).unwrap();
        for (place, byte) in changes {
            let place = place.index(text.len());
            text[place] = byte;
        }
        if let Some(cut) = cut {
            text.truncate(cut.index(text.len()));
        }
        let expected = serde_json::from_slice::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(skips(&text).is_ok(), expected, "{:?}", String::from_utf8_lossy(&text));
        if let Ok(expected) = serde_json::from_slice::<Value>(&text) {
            let found = value(&mut Reader::new(&text)).unwrap();
            // Numbers beyond 64 bits are the one thing that the two hold differently.
            prop_assert!(found == expected || text.iter().any(u8::is_ascii_digit), "{found} {expected}");
        }
    }
}

/// How long the scanner must find a whole document: a bare number has no end mark.
fn scanned(text: &str) -> Option<usize> {
    let marked = text.ends_with(['}', ']', '"']);
    marked.then_some(text.len())
}
