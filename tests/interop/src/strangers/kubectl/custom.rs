//! Kinds that the server learns of.

use anyhow::Result;
use serde_json::json;

use super::{Check, Kubectl, has, same};

pub(super) const CHECKS: &[(&str, Check)] = &[("custom resources", custom_resources)];

fn custom_resources(kubectl: &Kubectl) -> Result<()> {
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gadgets.strangers.example"},
        "spec": {
            "group": "strangers.example", "scope": "Namespaced",
            "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "shortNames": ["gd"]},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "required": ["size"], "properties": {
                        "size": {"type": "integer", "minimum": 1}, "colour": {"type": "string", "default": "red"},
                    }},
                    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                }}},
            }],
        },
    });
    kubectl.apply(&[], &definition)?;
    let crd = "crd/gadgets.strangers.example";
    kubectl.run(&["wait", "--for=condition=Established", crd, "--timeout=60s"])?;
    let mut gadget = json!({
        "apiVersion": "strangers.example/v1", "kind": "Gadget", "metadata": {"name": "first"}, "spec": {"size": 3},
    });
    kubectl.apply(&["--server-side"], &gadget)?;
    same(&kubectl.at("gadget/first", "/spec")?, &json!({"size": 3, "colour": "red"}))?;
    has(&kubectl.run(&["get", "gd"])?, &["NAME", "SIZE", "first", "3"])?;
    // A real server publishes the schema some seconds after it serves the kind.
    let explained = kubectl.soon(&["explain", "gadget.spec"])?;
    has(&explained, &["size\t<integer> -required-", "colour\t<string>"])?;
    gadget["spec"]["size"] = json!(0);
    let error = kubectl.refused(&["apply", "--server-side", "-f", "-"], &gadget.to_string())?;
    has(&error, &["spec.size in body should be greater than or equal to 1"])?;
    kubectl.run(&["delete", crd, "--timeout=60s"])?;
    // Its message depends on whether it still has the resource in its cache.
    kubectl.refused(&["get", "gadgets"], "").map(|_| ())
}
