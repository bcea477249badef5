//! Every attribute of the derive macros, as kubectl shows it: the same on every server.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use client_rs::custom::crds;
use client_rs_client::RestClient;
use client_rs_machinery::{Json, json};
use client_rs_tests::{Stage, eventually};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::gadget::{self, Gadget, older};
use super::trinket::Bauble;

/// kubectl of one server, in one namespace.
struct Kubectl<'s> {
    stage: &'s Stage,
    namespace: String,
}

/// The result of a call.
#[derive(Debug)]
struct Ended {
    ok: bool,
    out: String,
    err: String,
}

impl<'s> Kubectl<'s> {
    async fn new(stage: &'s Stage) -> Result<Self> {
        Ok(Self { stage, namespace: stage.namespace().await? })
    }

    /// Runs it with an input, to whatever end.
    async fn end(&self, words: &[&str], input: &str) -> Result<Ended> {
        let mut command = Command::new(self.stage.kubectl()?);
        // No cache of another server is used.
        command.env_remove("KUBECONFIG").env("HOME", self.stage.folder()?);
        command.arg("--kubeconfig").arg(self.stage.kubeconfig()?);
        command.arg("--cache-dir").arg(self.stage.folder()?.join("cache"));
        command.args(["-n", &self.namespace]).args(words).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("can't start kubectl")?;
        if let Some(mut stdin) = child.stdin.take() {
            // A process that does not read its input reports why it ended.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        let output = child.wait_with_output().await?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Ended { ok: output.status.success(), out: text(&output.stdout), err: text(&output.stderr) })
    }

    /// Returns the output of a successful call.
    async fn run(&self, words: &[&str]) -> Result<String> {
        let ended = self.end(words, "").await?;
        ensure!(ended.ok, "kubectl {}: {}", words.join(" "), ended.err.trim());
        Ok(ended.out)
    }

    /// The same, of a kind that is served since a moment ago.
    async fn soon(&self, words: &[&str]) -> Result<String> {
        eventually("kubectl", || self.run(words)).await
    }

    /// Applies an object, and returns the error message.
    async fn apply(&self, object: &Json) -> Result<Ended> {
        self.end(&["apply", "--server-side", "--force-conflicts", "-f", "-"], &object.to_string()).await
    }

    async fn applied(&self, object: &Json) -> Result<()> {
        let ended = self.apply(object).await?;
        ensure!(ended.ok, "{}", ended.err);
        Ok(())
    }

    /// The lines of a table, as fields.
    async fn table(&self, words: &[&str]) -> Result<Vec<Vec<String>>> {
        let text = self.run(words).await?;
        let fields = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        Ok(text.lines().map(fields).collect())
    }
}

fn gadget(name: &str, spec: Json) -> Json {
    let metadata = json!({"name": name});
    json!({"apiVersion": "derive.conformance.example.com/v1", "kind": "Gadget", "metadata": metadata, "spec": spec})
}

fn trinket(name: &str, spec: Json) -> Json {
    let metadata = json!({"name": name});
    json!({"apiVersion": "derive.conformance.example.com/v1alpha1", "kind": "Trinket", "metadata": metadata, "spec": spec})
}

async fn install_trinkets(rest: &RestClient) -> Result<()> {
    crds::apply(rest, [Bauble::crd()]).await?;
    Ok(())
}

/// Gadgets and trinkets, and a kubectl that is served both.
async fn both_installed(stage: &Stage) -> Result<(RestClient, Kubectl<'_>)> {
    let rest = stage.client()?;
    gadget::install(&rest).await?;
    install_trinkets(&rest).await?;
    let kubectl = Kubectl::new(stage).await?;
    for resource in ["gadgets", "trinketry"] {
        kubectl.soon(&["get", resource, "--ignore-not-found"]).await?;
    }
    Ok((rest, kubectl))
}

async fn both_removed(rest: &RestClient) -> Result<()> {
    gadget::remove(rest, &Bauble::crd()).await?;
    gadget::remove(rest, &Gadget::crd()).await
}

pub(super) async fn explains(stage: &Stage) -> Result<()> {
    let (rest, kubectl) = both_installed(stage).await?;
    let expected: [(&str, &[&str]); 6] = [
        (
            "gadgets",
            &[
                "KIND:       Gadget",
                "VERSION:    v1",
                "A gadget, whose description is an attribute.",
                "spec\t<GadgetSpec",
            ],
        ),
        (
            "gadgets.spec",
            &[
                "The range of a gadget.",
                "low\t<integer> -required-",
                "The lower end.",
                "enum: Red, Blue",
                "One of a few.",
                "weights\t<map[string]number>",
            ],
        ),
        ("gdg.spec.parts", &["FIELD: parts <[]Object>", "name\t<string> -required-", "size\t<integer>"]),
        ("gadgets.status.conditions", &["FIELD: conditions <[]Object>", "type\t<string> -required-"]),
        ("trinketry", &["Small, and of no use."]),
        (
            "trinket.spec",
            &[
                "weight\t<number> -required-",
                "marks\t<map[string]string>",
                "port\t<Object>",
                "template\t<Object>",
                "note\t<string>\n",
                "address\t<string>\n",
                "even\t<integer>\n",
            ],
        ),
    ];
    for (path, texts) in expected {
        let printed = kubectl.soon(&["explain", path]).await?;
        for text in texts {
            // The name of a nested type is the server's business.
            let text = text.replace("<GadgetSpec", "<");
            ensure!(printed.contains(&text), "{text:?} is not in the output of `explain {path}`:\n{printed}");
        }
    }
    both_removed(&rest).await
}

pub(super) async fn lists(stage: &Stage) -> Result<()> {
    let (rest, kubectl) = both_installed(stage).await?;
    kubectl.applied(&gadget("one", json!({"low": 1}))).await?;
    kubectl.applied(&gadget("two", json!({"low": 1, "color": "Blue"}))).await?;
    // By its short name, its singular, its category, in one and all namespaces.
    let narrow = kubectl.table(&["get", "gdg"]).await?;
    ensure!(narrow == [vec!["NAME", "COLOR"], vec!["one", "Red"], vec!["two", "Blue"]], "{narrow:?}");
    let wide = kubectl.table(&["get", "gadget", "two", "-o", "wide"]).await?;
    ensure!(wide == [vec!["NAME", "COLOR", "REPLICAS"], vec!["two", "Blue", "2"]], "{wide:?}");
    let names = kubectl.run(&["get", "gizmos", "-o", "name"]).await?;
    let name = |name: &str| format!("gadget.derive.conformance.example.com/{name}\n");
    ensure!(names == name("one") + &name("two"), "{names}");
    // By its selectable field.
    let blue = ["get", "gadgets", "--field-selector", "spec.color=Blue", "-o", "name"];
    let names = kubectl.run(&blue).await?;
    ensure!(names == name("two"), "{names}");
    let other = kubectl.end(&["get", "gadgets", "--field-selector", "spec.low=1"], "").await?;
    let why = "field label not supported: spec.low";
    ensure!(!other.ok && other.err.contains(why), "{other:?}");
    // Categories, and the metadata of the definition.
    let resources = kubectl.run(&["api-resources", "--categories=gizmos", "-o", "name"]).await?;
    ensure!(resources == "gadgets.derive.conformance.example.com\n", "{resources}");
    let metadata = ["get", "crd", "trinketry.derive.conformance.example.com", "-o"];
    let path =
        "jsonpath={.metadata.labels.team} {.metadata.annotations.docs} {.spec.scope} {.spec.names.singular}";
    let metadata = kubectl.run(&[&metadata[..], &[path]].concat()).await?;
    ensure!(metadata == "a https://example.com Cluster trinket", "{metadata}");
    // Columns of every type; a cluster's kind needs no namespace.
    let since = json!({"weight": 1.5, "since": "2020-01-01T00:00:00Z"});
    kubectl.applied(&trinket("t1", since)).await?;
    let table = kubectl.table(&["get", "trinket"]).await?;
    ensure!(table[0] == ["NAME", "WEIGHT", "SHINY", "SINCE"], "{table:?}");
    ensure!(table[1][..3] == ["t1", "1.5", "true"] && table[1][3].ends_with('d'), "{table:?}");
    both_removed(&rest).await
}

pub(super) async fn changes(stage: &Stage) -> Result<()> {
    let (rest, kubectl) = both_installed(stage).await?;
    // Absent fields get their defaults.
    kubectl.applied(&gadget("one", json!({"low": 1}))).await?;
    let spec = |name: &'static str| {
        let kubectl = &kubectl;
        async move {
            Ok::<_, anyhow::Error>(Json::parse(
                kubectl.run(&["get", name, "-o", "jsonpath={.spec}"]).await?.as_bytes(),
            )?)
        }
    };
    let filled = json!({"low": 1, "high": 10, "replicas": 2, "color": "Red"});
    ensure!(spec("gadget/one").await? == filled, "{}", spec("gadget/one").await?);
    kubectl.applied(&trinket("t1", json!({"weight": 1.5, "note": null}))).await?;
    let filled = json!({"weight": 1.5, "shiny": true, "letter": "a", "note": null});
    ensure!(spec("trinket/t1").await? == filled, "{}", spec("trinket/t1").await?);

    // Its scale and its status are apart from the rest.
    kubectl.run(&["scale", "gadget", "one", "--replicas=4"]).await?;
    let scale = kubectl.run(&[
        "get",
        "gadget",
        "one",
        "--subresource=scale",
        "-o",
        "jsonpath={.kind} {.spec.replicas}",
    ]);
    let scale = scale.await?;
    ensure!(scale == "Scale 4", "{scale}");
    let status = json!({"spec": {"low": 9}, "status": {"replicas": 3, "selector": "app=one"}}).to_string();
    kubectl.run(&["patch", "gadget", "one", "--subresource=status", "--type=merge", "-p", &status]).await?;
    let both = ["get", "gadget", "one", "-o", "jsonpath={.spec.low} {.status.replicas} {.status.selector}"];
    let both = kubectl.run(&both).await?;
    ensure!(both == "1 3 app=one", "{both}");
    let refused = kubectl
        .end(&["patch", "trinket", "t1", "--subresource=status", "--type=merge", "-p", "{}"], "")
        .await?;
    ensure!(!refused.ok && refused.err.contains("NotFound"), "{refused:?}");

    // Lists by key merge; a map that is one does not.
    let by = |manager: &'static str| ["apply", "--server-side", "--field-manager", manager, "-f", "-"];
    for (manager, part) in [("a", "p"), ("b", "q")] {
        let object =
            gadget("merged", json!({"low": 1, "parts": [{"name": part}], "tags": [part]})).to_string();
        let ended = kubectl.end(&by(manager), &object).await?;
        ensure!(ended.ok, "{ended:?}");
    }
    let path = "jsonpath={.spec.parts[*].name} {.spec.tags}";
    let merged = kubectl.run(&["get", "gadget", "merged", "-o", path]).await?;
    ensure!(merged == r#"p q ["p","q"]"#, "{merged}");
    let marks = |mark: &str| trinket("t2", json!({"weight": 1.5, "marks": {mark: "x"}})).to_string();
    ensure!(kubectl.end(&by("a"), &marks("one")).await?.ok, "not applied");
    let conflict = kubectl.end(&by("b"), &marks("two")).await?;
    ensure!(!conflict.ok && conflict.err.contains(r#"conflict with "a": .spec.marks"#), "{conflict:?}");

    // Fields that are not in the schema are dropped, or refused under strict validation; free fields keep everything.
    let free = gadget("free", json!({"low": 1, "free": {"x": [1, {"y": null}]}}));
    kubectl.applied(&free).await?;
    let kept = kubectl.run(&["get", "gadget", "free", "-o", "jsonpath={.spec.free}"]).await?;
    ensure!(Json::parse(kept.as_bytes())? == json!({"x": [1, {"y": null}]}), "{kept}");
    let template =
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "b"}});
    kubectl
        .applied(&trinket(
            "t3",
            json!({"weight": 1.5, "template": template, "port": "http", "address": "::1"}),
        ))
        .await?;
    let kept =
        kubectl.run(&["get", "trinket", "t3", "-o", "jsonpath={.spec.template.data.a} {.spec.port}"]).await?;
    ensure!(kept == "b http", "{kept}");
    both_removed(&rest).await
}

/// A line of a complaint about what is otherwise wrong, too.
const UNCHECKED: &str = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; \
                         correct the existing errors to complete validation";

/// Kubernetes' message for a whole number whose factor is a fraction.
const FACTOR: &str =
    "spec.weight: Invalid value: 0: factor MultipleOf declared for spec.weight must be positive: 0";

/// Invalid gadgets, each with the server's messages.
fn wrong_gadgets() -> Vec<(Json, Vec<&'static str>)> {
    vec![
        (json!({}), vec!["spec.low: Required value", UNCHECKED]),
        (
            json!({"low": -1}),
            vec!["spec.low: Invalid value: -1: spec.low in body should be greater than or equal to 0"],
        ),
        (
            json!({"low": "x"}),
            vec![
                "spec.low: Invalid value: \"string\": spec.low in body must be of type integer: \"string\"",
                UNCHECKED,
            ],
        ),
        (
            json!({"low": 1, "high": 1001}),
            vec!["spec.high: Invalid value: 1001: spec.high in body should be less than or equal to 1000"],
        ),
        (
            json!({"low": 1, "color": "Green"}),
            vec!["spec.color: Unsupported value: \"Green\": supported values: \"Red\", \"Blue\"", UNCHECKED],
        ),
        (
            json!({"low": 1, "code": "LONGER"}),
            vec!["spec.code: Too long: may not be more than 5 bytes", UNCHECKED],
        ),
        (
            json!({"low": 1, "code": "ABC"}),
            vec!["spec.code: Invalid value: \"ABC\": spec.code in body should match '^[a-z]*$'"],
        ),
        (json!({"low": 1, "tags": ["a", "a"]}), vec!["spec.tags[1]: Duplicate value: \"a\""]),
        (
            json!({"low": 1, "parts": [{"name": "a"}, {"name": "a"}]}),
            vec!["spec.parts[1]: Duplicate value: {\"name\":\"a\"}"],
        ),
        (json!({"low": 1, "parts": [{}]}), vec!["spec.parts[0].name: Required value", UNCHECKED]),
        (
            json!({"low": 1, "mode": {"type": "On"}}),
            vec![
                "<nil>: Invalid value: \"\": \"spec.mode\" must validate one and only one schema (oneOf). Found none valid",
                "spec.mode.type: Unsupported value: \"On\": supported values: \"Off\"",
                UNCHECKED,
            ],
        ),
        (json!({"low": 7, "high": 3}), vec!["spec: Invalid value: low is above high"]),
    ]
}

fn wrong_trinkets() -> Vec<(&'static str, Json, Vec<&'static str>)> {
    vec![
        ("x", json!({"weight": 1.5}), vec!["<nil>: Invalid value: a trinket's name begins with t"]),
        (
            "t",
            json!({"weight": 0}),
            vec![FACTOR, "spec.weight: Invalid value: 0: spec.weight in body should be greater than 0"],
        ),
        (
            "t",
            json!({"weight": 100}),
            vec![FACTOR, "spec.weight: Invalid value: 100: spec.weight in body should be less than 100"],
        ),
        (
            "t",
            json!({"weight": 1.3}),
            vec!["spec.weight: Invalid value: 1.3: spec.weight in body should be a multiple of 0.5"],
        ),
        (
            "t",
            json!({"weight": 1.5, "letter": "c"}),
            vec!["spec.letter: Unsupported value: \"c\": supported values: \"a\", \"b\"", UNCHECKED],
        ),
        (
            "t",
            json!({"weight": 1.5, "host": "ab"}),
            vec!["spec.host: Invalid value: \"ab\": spec.host in body should be at least 3 chars long"],
        ),
        (
            "t",
            json!({"weight": 1.5, "host": "a b c"}),
            vec![
                "spec.host: Invalid value: \"a b c\": spec.host in body must be of type hostname: \"a b c\"",
                UNCHECKED,
            ],
        ),
        (
            "t",
            json!({"weight": 1.5, "parts": []}),
            vec!["spec.parts: Invalid value: 0: spec.parts in body should have at least 1 items"],
        ),
        (
            "t",
            json!({"weight": 1.5, "parts": ["long"]}),
            vec!["spec.parts[0]: Too long: may not be more than 3 bytes", UNCHECKED],
        ),
        (
            "t",
            json!({"weight": 1.5, "parts": ["a", "b", "c", "d", "e"]}),
            vec!["spec.parts: Invalid value: too many"],
        ),
        (
            "t",
            json!({"weight": 1.5, "counts": {}}),
            vec!["spec.counts: Invalid value: 0: spec.counts in body should have at least 1 properties"],
        ),
        (
            "t",
            json!({"weight": 1.5, "counts": {"a": 1, "b": 1, "c": 1}}),
            vec!["spec.counts: Too many: 3: must have at most 2 items", UNCHECKED],
        ),
        (
            "t",
            json!({"weight": 1.5, "counts": {"a": -1}}),
            vec![
                "spec.counts.a: Invalid value: -1: spec.counts.a in body should be greater than or equal to 0",
            ],
        ),
        (
            "t",
            json!({"weight": 1.5, "template": {"kind": "A"}}),
            vec!["spec.template.apiVersion: Required value", UNCHECKED],
        ),
        (
            "t",
            json!({"weight": 1.5, "port": true}),
            vec![
                "spec.port: Invalid value: \"boolean\": spec.port in body must be of type integer,string: \"boolean\"",
                "<nil>: Invalid value: \"\": \"spec.port\" must validate at least one schema (anyOf)",
                "spec.port: Invalid value: \"boolean\": spec.port in body must be of type integer: \"boolean\"",
                UNCHECKED,
            ],
        ),
        (
            "t",
            json!({"weight": 1.5, "even": 3}),
            vec!["spec.even: Invalid value: 3: spec.even in body should be a multiple of 2"],
        ),
    ]
}

/// Returns kubectl's output for these causes.
fn complaint(kind: &str, name: &str, causes: &[&str]) -> String {
    match causes {
        [one] => format!("The {kind} \"{name}\" is invalid: {one}"),
        several => {
            let lines: Vec<String> = several.iter().map(|cause| format!("* {cause}")).collect();
            format!("The {kind} \"{name}\" is invalid: \n{}", lines.join("\n"))
        }
    }
}

pub(super) async fn refusals(stage: &Stage) -> Result<()> {
    let (rest, kubectl) = both_installed(stage).await?;
    let mut different = Vec::new();
    let mut compare = |what: &Json, said: &Ended, expected: &str| {
        let said: Vec<&str> = said.err.lines().filter(|line| !line.starts_with("Warning: ")).collect();
        let said = said.join("\n");
        if said.trim_end() != expected {
            different.push(format!("{what}\n  said:     {said}\n  expected: {expected}"));
        }
    };
    // `create`, because an apply also reports the mistakes of its own merge.
    let create = ["create", "--validate=false", "-f", "-"];
    for (spec, causes) in wrong_gadgets() {
        let object = gadget("wrong", spec);
        let said = kubectl.end(&create, &object.to_string()).await?;
        compare(&object, &said, &complaint("Gadget", "wrong", &causes));
    }
    for (name, spec, causes) in wrong_trinkets() {
        let object = trinket(name, spec);
        let said = kubectl.end(&create, &object.to_string()).await?;
        compare(&object, &said, &complaint("Trinket", name, &causes));
    }
    // Unknown fields.
    let object = gadget("wrong", json!({"low": 1, "colour": "Red"}));
    let said = kubectl.end(&["create", "-f", "-"], &object.to_string()).await?;
    compare(
        &object,
        &said,
        "Error from server (BadRequest): error when creating \"STDIN\": Gadget in version \"v1\" cannot be handled as a \
         Gadget: strict decoding error: unknown field \"spec.colour\"",
    );
    // Rules that compare with the old object.
    kubectl.applied(&trinket("t", json!({"weight": 1.5, "grows": 5}))).await?;
    for (patch, cause) in [
        (json!({"spec": {"letter": "b"}}), "spec.letter: Forbidden: a letter stays as it is"),
        (json!({"spec": {"grows": 4}}), "spec.grows: Invalid value: 4: it only grows"),
    ] {
        let said =
            kubectl.end(&["patch", "trinket", "t", "--type=merge", "-p", &patch.to_string()], "").await?;
        compare(&patch, &said, &complaint("Trinket", "t", &[cause]));
    }
    kubectl.run(&["patch", "trinket", "t", "--type=merge", "-p", r#"{"spec":{"grows":6}}"#]).await?;
    both_removed(&rest).await?;
    ensure!(different.is_empty(), "{}", different.join("\n"));
    Ok(())
}

pub(super) async fn warnings(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let merged = crds::merge([Gadget::crd(), older::Gadget::crd()], "v1")?;
    crds::apply(&rest, [merged.clone()]).await?;
    install_trinkets(&rest).await?;
    let kubectl = Kubectl::new(stage).await?;
    for (resource, expected) in [
        ("gadgets.v1beta1.derive.conformance.example.com", "Warning: v1beta1 is old\n"),
        ("trinketry", "Warning: derive.conformance.example.com/v1alpha1 Trinket is deprecated\n"),
        ("gadgets.v1.derive.conformance.example.com", ""),
    ] {
        kubectl.soon(&["get", resource]).await?;
        let ended = kubectl.end(&["get", resource, "-o", "name"], "").await?;
        ensure!(ended.ok && ended.err == expected, "{resource}: {ended:?}");
    }
    // An object that was created in one version is read in the other.
    kubectl.applied(&gadget("one", json!({"low": 1, "high": 2}))).await?;
    let older = [
        "get",
        "gadgets.v1beta1.derive.conformance.example.com",
        "one",
        "-o",
        "jsonpath={.apiVersion} {.spec.high}",
    ];
    let older = kubectl.run(&older).await?;
    ensure!(older == "derive.conformance.example.com/v1beta1 2", "{older}");
    gadget::remove(&rest, &Bauble::crd()).await?;
    gadget::remove(&rest, &merged).await
}
