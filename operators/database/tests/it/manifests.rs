//! The files of `config` that are derived from something else.

use client_rs::client::manifest;
use client_rs::prelude::crds;

use crate::cluster::config;

#[test]
fn the_definition_in_config_is_up_to_date() {
    let file = config("crd/databases.example.com.yaml");
    let stored = std::fs::read_to_string(file).unwrap();
    let current = manifest::to_yaml(&crds::document(&database_operator::crd().unwrap()));
    assert!(stored == current, "run `cargo run -- --print-crd > config/crd/databases.example.com.yaml`");
}

fn text(path: &str) -> String {
    std::fs::read_to_string(config("..").join(path)).unwrap()
}

/// A template of the chart with its default values, as Helm renders it.
fn rendered(template: &str) -> String {
    let template = text(&format!("chart/templates/{template}"));
    let is_text = |line: &&str| !line.starts_with("{{-") && !line.contains("helm.sh/resource-policy");
    let mut rendered: String = template.lines().filter(is_text).map(|line| format!("{line}\n")).collect();
    for (key, value) in text("chart/values.yaml").lines().filter_map(|line| line.split_once(": ")) {
        rendered = rendered.replace(&format!("{{{{ .Values.{key} }}}}"), value);
    }
    let rendered = rendered.replace("{{ .Release.Namespace }}", "database-operator-system");
    rendered.replace(r#"{{ "{{" }}"#, "{{").replace(r#"{{ "}}" }}"#, "}}")
}

#[test]
fn the_chart_is_config_with_values() {
    // Helm creates the namespace.
    let manager = text("config/manager/manager.yaml");
    let (_, manager) = manager.split_once("---\n").unwrap();
    let rbac = [text("config/rbac/account.yaml"), text("config/rbac/role.yaml")].join("---\n");
    for (template, plain) in [
        ("manager.yaml", manager.to_owned()),
        ("rbac.yaml", rbac),
        ("alerts.yaml", text("config/monitoring/alerts.yaml")),
        ("crd.yaml", text("config/crd/databases.example.com.yaml")),
        ("webhook.yaml", text("config/webhook/webhook.yaml")),
    ] {
        assert_eq!(rendered(template), plain, "{template}");
    }
    assert_eq!(text("chart/files/dashboard.json"), text("config/monitoring/dashboard.json"));
}

/// Checks that the operator has every metric that alerts and dashboard name.
pub(crate) fn check_metrics(exposed: &str) {
    const FAMILIES: [&str; 5] =
        ["controller_", "informer_", "leader_election_", "rest_client_", "workqueue_"];
    for file in ["monitoring/alerts.yaml", "monitoring/dashboard.json"] {
        let text = std::fs::read_to_string(config(file)).unwrap();
        let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        let named: Vec<&str> =
            words.filter(|word| FAMILIES.iter().any(|family| word.starts_with(family))).collect();
        assert!(named.len() > 3, "{file} names {named:?}");
        for name in named {
            assert!(
                exposed.contains(&format!("# TYPE {} ", name.trim_end_matches("_bucket"))),
                "{file}: {name}"
            );
        }
    }
}
