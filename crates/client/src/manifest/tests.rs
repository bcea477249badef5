//! Multiple documents, and errors.

use super::*;

fn names(text: &str) -> Vec<String> {
    let read = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    read.iter().map(|m| format!("{} {} {}", m.line, m.object.kind(), m.object.name())).collect()
}

#[test]
fn documents_of_every_kind() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
    assert_eq!(names(pod), ["1 Pod a"]);
    assert_eq!(
        names(&format!("# comment\n\n---\n{pod}---\n# nothing\n---\n\n---\n{pod}...\n")),
        ["4 Pod a", "12 Pod a"]
    );
    assert_eq!(names(&format!("%YAML 1.2\n---\n{pod}")), ["3 Pod a"]);
    assert_eq!(names("--- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n"), ["1 Pod a"]);
    assert_eq!(names("\u{feff}{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}"), ["1 Pod "]);
    assert_eq!(
        names(
            "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n\n{\"apiVersion\":\"v1\",\n\"kind\":\"B\"} {\"apiVersion\":\"v1\",\"kind\":\"C\"}"
        ),
        ["1 A ", "3 B ", "4 C "]
    );
    assert_eq!(names(&format!("{{\"apiVersion\":\"v1\",\"kind\":\"A\"}}\n---\n{pod}")), ["1 A ", "3 Pod a"]);
    // A flow mapping of YAML, which is not JSON.
    assert_eq!(names("{apiVersion: v1, kind: Pod, metadata: {name: b}}"), ["1 Pod b"]);
    assert_eq!(
        names("apiVersion: v1\r\nkind: Pod\r\n---\r\napiVersion: v1\r\nkind: Node\r\n"),
        ["1 Pod ", "4 Node "]
    );
    assert!(
        names("").is_empty()
            && names("---\n---\n").is_empty()
            && names("# only\n").is_empty()
            && names("null").is_empty()
    );
    // Dashes inside a block of text.
    let text = "apiVersion: v1\nkind: ConfigMap\ndata:\n  x: |\n    ---\n    a\n  y: \"--- b\"\n";
    let read = read(text).unwrap();
    assert_eq!((read.len(), read[0].object.object["data"]["x"].as_str()), (1, Some("---\na\n")));
}

#[test]
fn lists_are_split_into_objects() {
    let text = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n\
                - apiVersion: v1\n  kind: ServiceList\n  items: [{metadata: {name: b}}, {metadata: {name: c}}]\n\
                ---\napiVersion: v1\nkind: List\nitems: []\n";
    assert_eq!(names(text), ["1 Pod a", "1 Service b", "1 Service c"]);
    // A kind whose name ends with List, but which is not a list.
    assert_eq!(names("apiVersion: x/v1\nkind: ShoppingList\nspec: {}\n"), ["1 ShoppingList "]);
}

#[test]
fn anchors_merges_and_plain_values() {
    let text = "apiVersion: v1\nkind: X\na: &a {n: 1, s: \"1\", f: 1.5, t: true, z: null}\nb: {<<: *a, n: 2}\nc: 0644\n";
    let object = &read(text).unwrap()[0].object.object;
    assert_eq!(object["a"].to_string(), r#"{"f":1.5,"n":1,"s":"1","t":true,"z":null}"#);
    assert_eq!((object["b"]["n"].as_i64(), object["b"]["s"].as_str()), (Some(2), Some("1")));
}

#[test]
fn errors_have_a_position_and_hide_the_content() {
    let pod = "apiVersion: v1\nkind: Pod\n";
    for (text, line, part) in [
        (format!("{pod}---\napiVersion: v1\nkind: Pod\nmetadata: {{name: hunter2\n---\n{pod}"), 6, ""),
        (format!("{pod}---\nkind: Pod\nmetadata: {{name: hunter2}}\n"), 4, "no apiVersion"),
        (format!("{pod}---\n\n# comment\napiVersion: v1\n"), 6, "no kind"),
        (format!("{pod}---\n- hunter2\n"), 4, "an array"),
        (format!("{pod}---\nhunter2\n"), 4, "a string"),
        ("{\"apiVersion\": \"v1\",\n \"kind\": \"Pod\",\n \"x\": \"hunter2\" 3}".to_owned(), 3, ""),
        (format!("{pod}kind: Pod\n"), 3, ""),
        (format!("{pod}x: *hunter2\n"), 3, ""),
        ("apiVersion: v1\nkind: List\nitems: [1]\n".to_owned(), 1, "split into objects"),
        ("apiVersion: v1\nkind: List\nitems: [{kind: Pod}]\n".to_owned(), 1, "no apiVersion"),
    ] {
        let Err(error) = read(&text) else { panic!("{text}") };
        // The parser reports an unclosed flow where the next document begins, or where the flow began.
        assert!(error.line == line || (part.is_empty() && error.line.abs_diff(line) <= 1), "{text}: {error}");
        let told = error.to_string();
        assert!(told.contains(part) && told.starts_with("line ") && !told.contains("hunter2"), "{told}");
    }
}

#[test]
fn folders_are_read_in_the_order_of_names() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("b.json", r#"{"apiVersion":"v1","kind":"B"}"#);
    write("a.yaml", "apiVersion: v1\nkind: A\n");
    write("c.yml", "apiVersion: v1\nkind: C\n");
    write("readme.md", "# no manifest: {");
    let read = read_path(dir.path()).unwrap();
    let kinds: Vec<_> = read.iter().map(|manifest| manifest.object.kind()).collect();
    assert_eq!(kinds, ["A", "B", "C"]);
    assert_eq!(read[1].file.as_deref(), Some(dir.path().join("b.json").as_path()));
    write("d.yaml", "apiVersion: v1\nkind: [\n");
    let told = read_path(dir.path()).unwrap_err().to_string();
    assert!(told.contains("d.yaml: line "), "{told}");
    std::fs::write(dir.path().join("e.yaml"), b"\xff\xfe").unwrap();
    std::fs::remove_file(dir.path().join("d.yaml")).unwrap();
    assert_eq!(read_path(dir.path()).unwrap_err().problem, ManifestProblem::NotText);
    let none = read_path(&dir.path().join("none.yaml")).unwrap_err();
    assert!(matches!(none.problem, ManifestProblem::File(_)), "{none}");
}

proptest::proptest! {
    #[test]
    fn no_yaml_text_panics(text in "(---|\\.\\.\\.|apiVersion: v1|kind: |[{}\\[\\]:,\"'&*a\u{e9}#%!| \n-]){0,24}") {
        let _ = read(&text);
    }

    #[test]
    fn no_json_text_panics(text in "[{}\\[\\]:,\"a1\u{e9} \n]{0,24}") {
        let _ = read(&text);
    }
}
