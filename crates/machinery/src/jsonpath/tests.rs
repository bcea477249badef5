//! A table of expressions, with what client-go makes of them.

use super::*;
use crate::json;

/// `cargo xtask record jsonpath` runs client-go's `util/jsonpath` again, for the objects and expressions in the
/// table.
#[test]
fn every_expression_has_the_result_of_client_go() {
    let table = Json::parse(include_bytes!("../../../../tests/corpora/jsonpath.json")).unwrap();
    let (data, cases) = (&table["data"], table["cases"].as_list().unwrap());
    assert!(cases.len() >= 200, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let missing = case["allowMissingKeys"].as_bool().unwrap_or_default();
        let data = &data[text("data")];
        let ours = JsonPath::parse(text("template"))
            .map(|path| path.allow_missing_keys(missing))
            .and_then(|path| path.render(data));
        let same = match (&ours, case["error"].as_str()) {
            (Ok(ours), None) => ours == text("output"),
            (Err(_), Some(_)) => true,
            _ => false,
        };
        if !same {
            wrong.push(format!("{} {}: {ours:?}, client-go: {case}", text("data"), text("template")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn relaxed_expressions() {
    let data = json!({"a": {"b": "x"}, "l": [1]});
    for text in ["{.a.b}", ".a.b", "a.b", "{a.b}", " {.a.b} ", "$.a.b", "{$.a.b}"] {
        assert_eq!(JsonPath::parse_relaxed(text).unwrap().render(&data).unwrap(), "x", "{text}");
    }
    assert_eq!(JsonPath::parse_relaxed("{.l[0]}").unwrap().find(&data).unwrap(), [[json!(1)]]);
    for text in ["", "{", "}", "{}", "a.b}", "{.a.b"] {
        assert!(JsonPath::parse_relaxed(text).is_err(), "{text}");
    }
}

#[test]
fn entries_come_in_the_order_of_their_keys() {
    let data = json!({"b": 1, "a": {"d": "x", "c": [true]}});
    let render = |text: &str| JsonPath::parse(text).unwrap().render(&data).unwrap();
    assert_eq!(render("{.*}"), r#"{"c":[true],"d":"x"} 1"#);
    assert_eq!(render("{..}"), r#"{"a":{"c":[true],"d":"x"},"b":1} {"c":[true],"d":"x"} [true] x"#);
    assert_eq!(render("{range .a.*}<{@}>{end}"), "<[true]><x>");
}

#[test]
fn a_path_is_used_any_number_of_times() {
    let path = JsonPath::parse("{range .items[*]}{.n},{end}!").unwrap();
    let data = json!({"items": [{"n": 1}, {"n": 2}]});
    for _ in 0..3 {
        assert_eq!(path.render(&data).unwrap(), "1,2,!");
    }
}

#[test]
fn nothing_is_without_bound() {
    let data = json!([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
    let many = format!("{{{}}}", "[0,0,0,0,0,0,0,0,0,0]".repeat(7));
    let nested: Json = json!([[[[[[[[1]]]]]]]]);
    assert_eq!(JsonPath::parse(&many).unwrap().render(&nested), Err(JsonPathError::TooMany(1_000_000)));
    let deep = format!("{{{}@.a{}}}", "[?(".repeat(100), ")]".repeat(100));
    assert!(JsonPath::parse(&deep).is_err());
    assert!(JsonPath::parse("{[99999999999999999999]}").is_err());
    let ends = JsonPath::parse("{[-9223372036854775808:9223372036854775807:9223372036854775807]}").unwrap();
    assert!(ends.render(&data).is_err());
    assert!(JsonPath::parse("{[9223372036854775807]}").is_err());
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[\\{\\}\\[\\]?()@.$*:,'\"\\\\ 0-9a-c=<>!-]{0,40}") {
        let data = json!({"a": [{"b": 1, "c": "x"}, [1, 2]], "b": "text", "c": null});
        if let Ok(path) = JsonPath::parse(&text) {
            let _ = path.render(&data);
        }
        let _ = JsonPath::parse_relaxed(&text);
    }
}
