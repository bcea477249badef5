//! `krs` compared with kubectl.

use anyhow::{Context, Result, ensure};
use client_rs_client::DynamicClient;
use client_rs_machinery::json;
use client_rs_tests::{Stage, eventually};

use super::custom;

/// The output must be the same, byte for byte.
const COMMANDS: &[&[&str]] = &[
    &["api-versions"],
    &["api-resources"],
    &["api-resources", "-o", "wide"],
    &["api-resources", "-o", "name"],
    &["api-resources", "-o", "json"],
    &["api-resources", "-o", "yaml"],
    &["api-resources", "--namespaced"],
    &["api-resources", "--namespaced=false", "--no-headers"],
    &["api-resources", "--verbs=list,watch", "--sort-by=name"],
    &["api-resources", "--sort-by", "kind", "-o", "wide"],
    &["api-resources", "--api-group=apps"],
    &["api-resources", "--api-group="],
    &["api-resources", "--categories=all"],
    &["api-resources", "--categories=nothing"],
    &["api-resources", "--cached"],
];

pub(super) async fn same_as_kubectl(stage: &Stage) -> Result<()> {
    let client = DynamicClient::from_rest(stage.client()?);
    let (group, other) = (custom::group(), custom::group());
    let names = json!({"shortNames": ["wdg", "no"], "categories": ["all", "things"]});
    let definitions = [
        custom::definition(&group, "widgets", "Widget", "Namespaced", &names)?,
        custom::definition(&other, "gears", "Gear", "Cluster", &json!({}))?,
    ];
    custom::install(&client, &definitions).await?;
    eventually("the new kinds", || async {
        client.mapper().reset();
        client.find(&format!("widgets.{group}")).await?;
        Ok(client.find(&format!("gears.{other}")).await.map(drop)?)
    })
    .await?;
    let folder = stage.folder()?;
    let mut different = Vec::new();
    for command in COMMANDS {
        // A folder each: nothing is learned from the other.
        let kubectl = kubectl(stage, command, &folder.join("kubectl"))?;
        let krs = krs(stage, command, &folder.join("krs")).await?;
        if kubectl != krs {
            different.push(format!("{}:\n{}", command.join(" "), first_difference(&kubectl, &krs)));
        }
    }
    custom::remove(&client, &definitions).await?;
    ensure!(different.is_empty(), "{}", different.join("\n"));
    Ok(())
}

fn kubectl(stage: &Stage, command: &[&str], cache: &std::path::Path) -> Result<String> {
    let cache = cache.to_str().context("a path that is text")?;
    stage.run_kubectl(&[command, &["--cache-dir", cache]].concat())
}

async fn krs(stage: &Stage, command: &[&str], cache: &std::path::Path) -> Result<String> {
    let text = |path: &std::path::Path| path.to_str().map(str::to_owned).context("a path that is text");
    let mut arguments = vec!["krs".to_owned()];
    arguments.extend(command.iter().map(|&argument| argument.to_owned()));
    arguments.extend(["--kubeconfig".to_owned(), text(&stage.kubeconfig()?)?]);
    arguments.extend(["--cache-dir".to_owned(), text(cache)?]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = client_rs_cli::run(arguments, client_rs_cli::Streams::plain(&mut out, &mut err)).await;
    ensure!(code == 0, "{code}: {}", String::from_utf8_lossy(&err));
    Ok(String::from_utf8(out)?)
}

fn first_difference(one: &str, other: &str) -> String {
    let lines = one.lines().map(Some).chain(std::iter::repeat(None));
    let others = other.lines().map(Some).chain(std::iter::repeat(None));
    match lines.zip(others).take(10_000).find(|(one, other)| one != other) {
        Some((one, other)) => format!("kubectl: {one:?}\nkrs:     {other:?}"),
        None => "they differ in their ends".to_owned(),
    }
}
