//! Untrusted definitions: with any texts, the output is only the types of the definition, and rustdoc runs nothing.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test")]

use client_rs::machinery::{Json, json};
use client_rs_custom::generate::{GenerateError, GenerateOptions, generate};
use proptest::prelude::*;
use syn::{Attribute, Expr, ExprLit, Fields, Item, Lit, Meta};

/// Texts that would end a comment, a literal or an attribute, or begin a doctest, or hide one.
const PIECES: [&str; 46] = [
    "```",
    "````",
    "~~~",
    "~~~~",
    "``",
    "`",
    "```rust",
    "```no_run",
    "~~~rust",
    "\n",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\u{2028}",
    "\u{85}",
    "    ",
    "\t",
    "  ",
    " ",
    "> ",
    "- ",
    "-     ",
    "1. ",
    "1)\t",
    "* ",
    "[^a]: ",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<script>",
    "*/",
    "/*",
    "/// ",
    "//!",
    "\"#",
    "\"",
    "\\",
    "#![allow(x)]",
    "#[test]",
    "fn main() { evil() }",
    "}",
    "evil();",
    "\u{202e}",
    "| a | b |\n|---|---|\n",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z ]{0,6}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A definition with these texts in all places where a server accepts any text.
fn definition(texts: &[String; 6]) -> Json {
    let [description, field, value, rule, path, default] = texts.each_ref().map(String::as_str);
    let property = json!({
        "type": "string", "description": description, "enum": [value, "b"], "pattern": rule, "default": default,
        "example": default, "format": rule, "x-kubernetes-validations": [{"rule": rule, "message": description}],
    });
    let object = json!({"type": "object", "description": description, "properties": {field: property, "plain": {"type": "string"}}});
    let schema = json!({
        "type": "object", "description": description,
        "properties": {"spec": object.clone(), "status": object.clone(), field: {"type": "array", "items": object}},
    });
    let scale = json!({"specReplicasPath": path, "statusReplicasPath": path, "labelSelectorPath": path});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": description},
        "spec": {
            "group": "example.com", "scope": path, "names": {"kind": "Boat", "plural": "boats"},
            "versions": [{
                "name": "v1", "served": true, "schema": {"openAPIV3Schema": schema},
                "subresources": {"status": {}, "scale": scale}, "additionalPrinterColumns": [{"name": description, "jsonPath": path}],
            }],
        },
    })
}

/// The doc comments of an item, joined as rustdoc joins them.
fn docs(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => panic!("a doc attribute is not a comment"),
        },
        _ => None,
    };
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// The text of `#[resource(description = "…")]`: the derive writes it as the documentation of the kind.
fn description_of_kind(attribute: &Attribute) -> Option<String> {
    let Meta::List(list) = &attribute.meta else { return None };
    let Ok(Meta::NameValue(meta)) = list.parse_args::<Meta>() else { return None };
    match &meta.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if meta.path.is_ident("description") => {
            Some(text.value())
        }
        _ => None,
    }
}

/// All descriptions of the code. It checks that the code is only the module and its structs.
fn comments(code: &str) -> Vec<String> {
    const ATTRIBUTES: [&str; 6] = ["doc", "allow", "derive", "serde", "resource", "schema"];
    let file = syn::parse_file(code).unwrap_or_else(|error| panic!("{error}:\n{code}"));
    assert!(file.attrs.is_empty(), "{code}");
    let mut comments = Vec::new();
    let mut look = |attributes: &[Attribute]| {
        for attribute in attributes {
            assert!(ATTRIBUTES.iter().any(|name| attribute.path().is_ident(name)), "{code}");
            comments.extend(description_of_kind(attribute));
        }
        comments.push(docs(attributes));
    };
    let [Item::Mod(module)] = file.items.as_slice() else { panic!("not one module:\n{code}") };
    assert_eq!(module.ident, "boats_v1");
    look(&module.attrs);
    let (mut structs, mut imports) = (0, 0);
    for item in &module.content.as_ref().unwrap().1 {
        match item {
            Item::Use(_) => imports += 1,
            Item::Struct(one) => {
                structs += 1;
                look(&one.attrs);
                let Fields::Named(fields) = &one.fields else { panic!("no fields:\n{code}") };
                fields.named.iter().for_each(|field| look(&field.attrs));
            }
            _ => panic!("something else:\n{code}"),
        }
    }
    // Spec, status, extra fields, and the items of their list; a name may equal that of the spec.
    assert!(imports == 5 && (2..=4).contains(&structs), "{imports}, {structs}:\n{code}");
    comments
}

/// Checks that code spans begin and end on one line, and that there is no HTML outside of them.
fn has_html_or_open_span(line: &str) -> bool {
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '\\' if after.starts_with(|c: char| c.is_ascii_punctuation()) => rest = &after[1..],
            '`' => {
                let run = rest.len() - rest.trim_start_matches('`').len();
                let mut inside = &rest[run..];
                loop {
                    let Some(at) = inside.find('`') else { return true };
                    let tail = inside[at..].trim_start_matches('`');
                    let closing = inside.len() - at - tail.len();
                    inside = tail;
                    if closing == run {
                        break;
                    }
                }
                rest = inside;
            }
            '<' if after.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) => return true,
            _ => rest = after,
        }
    }
    false
}

/// Checks that blocks of `text` at the beginning of a line are the only code, and that there is no HTML.
fn assert_inert(comment: &str) {
    let mut fence: Option<&str> = None;
    for line in comment.split('\n') {
        if let Some(open) = fence {
            if line == open {
                fence = None;
            } else {
                assert!(!line.trim_start().starts_with(open), "{line:?} ends a block in\n{comment}");
            }
            continue;
        }
        if let Some(open) =
            line.strip_suffix("text").filter(|open| open.len() >= 3 && open.bytes().all(|b| b == b'`'))
        {
            fence = Some(open);
            continue;
        }
        // The allowed values of a field come after other words.
        if !line.starts_with("One of ") {
            assert!(!line.contains("```") && !line.contains("~~~"), "{line:?} in\n{comment}");
            let text = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - text.len()];
            assert!(
                indent.len() < 4 && !line.contains('\t') && !text.contains("  "),
                "{line:?} in\n{comment}"
            );
        }
        assert!(!has_html_or_open_span(line), "{line:?} in\n{comment}");
    }
    assert!(fence.is_none(), "a block does not end in\n{comment}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_a_definition_breaks_out_of_its_comment_or_literal(texts in [text(), text(), text(), text(), text(), text()]) {
        let options = GenerateOptions::default().with_apply(true);
        let code = generate(&[definition(&texts)], &options).unwrap();
        for comment in comments(&code) {
            assert_inert(&comment);
        }
    }
}

/// Runs rustdoc itself, on chosen texts and on thousands of random ones.
#[test]
fn rustdoc_finds_no_test_in_a_description() {
    use proptest::strategy::ValueTree as _;
    use std::fmt::Write as _;
    let mut texts: Vec<String> = [
        "```\nevil();\n```",
        "~~~\nevil();",
        "    evil();",
        "\tevil();",
        "> ```\n> evil();",
        "-     evil();",
        "1.      evil();",
        "<!--\n```\n-->\n```\nevil();\n```",
        "<pre>\n```\n</pre>\n```\nevil();",
        "```text\n```\nevil();\n```",
        "```\n````\nevil();",
        "- a\n\n      evil();",
        "[^1]: ```\n    evil();",
        "a\r```\revil();",
        "a\u{2028}```\u{2028}evil();",
        "| a |\n|---|\n```\nevil();",
        "`` ` ```\n```\nevil();",
        "\\```\nevil();",
        "```text\n\nrust\n\nevil(); //\n```",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    texts.extend((0..1500).map(|_| text().new_tree(&mut runner).unwrap().current()));
    // The control: rustdoc finds this test.
    let mut source = String::from("/// ```\n/// control();\n/// ```\npub struct Control;\n");
    for (at, text) in texts.iter().enumerate() {
        let code = generate(&[definition(&texts_of(text))], &GenerateOptions::default()).unwrap();
        for (number, comment) in comments(&code).iter().enumerate() {
            for line in comment.split('\n') {
                let _ = writeln!(source, "/// {line}");
            }
            let _ = writeln!(source, "pub struct S{at}_{number};");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lib.rs");
    std::fs::write(&file, source).unwrap();
    let rustdoc = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    let mut command = std::process::Command::new(rustdoc);
    command.args(["--test", "--edition", "2024", "--crate-type", "lib", "-A", "warnings"]).arg(&file);
    let output = command.args(["--test-args", "--list"]).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let found: Vec<&str> = said.lines().filter(|line| line.ends_with(": test")).collect();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && found.len() == 1 && found[0].contains("Control"),
        "{said}{complaints}"
    );
}

fn texts_of(text: &str) -> [String; 6] {
    [text, "field", text, text, "Namespaced", text].map(str::to_owned)
}

#[test]
fn a_name_that_no_server_accepts_is_refused_before_code_is_generated() {
    let evil = "a\nfn evil() {}\n/*";
    let plain = || definition(&texts_of("What."));
    for (path, place) in [
        (&["spec", "group"][..], "spec.group"),
        (&["spec", "names", "kind"], "spec.names.kind"),
        (&["spec", "names", "plural"], "spec.names.plural"),
        (&["spec", "names", "singular"], "spec.names.singular"),
    ] {
        for bad in [evil, "a`b", "a b", "-", "a\u{2028}b"] {
            let mut broken = plain();
            broken.set(path, bad).unwrap();
            let options = GenerateOptions::default().with_accessors(true);
            match generate(&[broken], &options) {
                Err(GenerateError::InvalidName { definition, path, value, rule }) => {
                    assert_eq!((definition.as_str(), path, value.as_str()), ("What.", place, bad));
                    assert!(rule.contains("alphanumeric"), "{rule}");
                }
                other => panic!("{place} {bad:?}: {other:?}"),
            }
        }
    }
    for (path, place) in [
        (&["spec", "names", "shortNames"][..], "spec.names.shortNames"),
        (&["spec", "names", "categories"], "spec.names.categories"),
    ] {
        let mut broken = plain();
        broken.set(path, json!(["ok", evil])).unwrap();
        let error = generate(&[broken], &GenerateOptions::default()).unwrap_err().to_string();
        assert!(error.contains(place) && error.contains("What.") && !error.contains('\n'), "{error}");
    }
    let mut broken = plain();
    broken.set(&["spec", "versions"], json!([{"name": evil, "served": true}])).unwrap();
    let error = generate(&[broken], &GenerateOptions::default()).unwrap_err().to_string();
    assert!(error.contains("spec.versions[].name"), "{error}");
}
