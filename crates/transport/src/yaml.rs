//! YAML that kubectl can read and write.
//!
//! kubectl reads YAML 1.1: `yes`, `on` and `y` are booleans, `<<` merges, the last of two equal keys wins, and only the first
//! document counts. There is one difference: a key such as `n` stays a string here, and kubectl turns it into `false`. No field
//! of a kubeconfig has such a name.

use serde_json::Value;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};

/// A limit above the size of any real kubeconfig.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Parses the first document, in UTF-8 or, with a byte order mark, in UTF-16. Returns `null` if there is no document.
///
/// The error contains the position and the cause, but no part of the surrounding lines.
pub(crate) fn parse(mut text: &[u8]) -> Result<Value, String> {
    let options = serde_saphyr::options! {
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        merge_keys: MergeKeyPolicy::Merge,
        // JSON has no infinity, so neither kubectl nor this crate could keep one.
        non_finite_float_policy: NonFiniteFloatPolicy::Reject,
        with_snippet: false,
        budget: budget(),
    };
    let mut documents = serde_saphyr::read_with_options(&mut text, options);
    documents.next().unwrap_or(Ok(Value::Null)).map_err(|error| error.to_string())
}

/// The limits for parsing one document. All YAML readers share it, so that a feature that another crate of the program turns on
/// can neither read files nor raise a limit.
pub fn budget() -> Option<serde_saphyr::Budget> {
    serde_saphyr::budget! {
        max_reader_input_bytes: Some(MAX_BYTES),
        max_depth: 64,
        max_inclusion_depth: 0,
        max_property_expansion_depth: 0,
        max_documents: 1_024,
        max_nodes: 250_000,
        max_events: 1_000_000,
        max_aliases: 50_000,
        max_anchors: 50_000,
        max_total_scalar_bytes: MAX_BYTES,
        max_merge_keys: 10_000,
    }
}

/// Prints a document with its keys in alphabetical order.
pub(crate) fn print(value: &Value) -> Result<String, String> {
    // Block scalars are easier to read, but a token or key must survive byte for byte.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    serde_saphyr::to_string_with_options(value, options).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn broken_yaml_is_an_error_with_a_position_and_without_secrets() {
        for text in ["token: [hunter2", "a: hunter2: b", "a: *hunter2", "a: \"hunter2", "a: .inf"] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains("line 1"), "{text:?}: {error}");
        }
        let error = parse(b"token: \"hunter2\nother: x").unwrap_err();
        assert!(!error.contains("hunter2"), "{error}");
    }

    #[test]
    fn an_alias_bomb_is_refused() {
        let first = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]".to_owned();
        let lines = (1..12).map(|n| format!("a{n}: &a{n} [{}]", vec![format!("*a{}", n - 1); 10].join(",")));
        let text: Vec<_> = std::iter::once(first).chain(lines).collect();
        assert!(parse(text.join("\n").as_bytes()).is_err());
    }

    #[test]
    fn words_with_a_meaning_in_yaml_1_1_are_quoted() {
        for word in [
            "yes",
            "No",
            "on",
            "y",
            "n",
            "~",
            "null",
            "",
            "1",
            "0x1",
            "1e3",
            "1_000",
            "12:30",
            ".inf",
            "=",
            "<<",
            "2001-01-01",
            "- a",
            "a: b",
            "a #b",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "'a",
            "\"a",
            " a ",
            "a\nb",
            "a\n",
            "\t",
            "é\u{85}\u{2028}\u{feff}",
            "\u{7f}\0",
        ] {
            let value = json!({"key": word, "list": [word]});
            let text = print(&value).unwrap();
            assert_eq!(parse(text.as_bytes()).unwrap(), value, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(words in proptest::collection::vec(any::<String>(), 0..4), key in any::<String>()) {
            let value = json!({"words": words, "map": {key: {"inner": words}}});
            let text = print(&value).unwrap();
            prop_assert_eq!(parse(text.as_bytes()).unwrap(), value);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = parse(&bytes);
        }
    }
}
