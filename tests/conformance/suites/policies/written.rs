//! Policies and bindings as objects.

use anyhow::{Result, ensure};
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use crate::requests::{Answer, delete, get, post};
use crate::setup::{BINDINGS, POLICIES, Setup};

async fn policy(setup: &Setup, mut spec: Value) -> Result<Answer> {
    if spec["matchConstraints"].is_null() {
        spec["matchConstraints"] = setup.config_maps();
    }
    post(&setup.client, &format!("{POLICIES}?dryRun=All"), &json!({"metadata": {"name": "p"}, "spec": spec}))
        .await
}

/// Fails unless the policy is refused with exactly these errors.
async fn refused(setup: &Setup, spec: Value, errors: &[&str]) -> Result<()> {
    let errors = match errors {
        [one] => (*one).to_owned(),
        many => format!("[{}]", many.join(", ")),
    };
    let message =
        format!("ValidatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid: {errors}");
    policy(setup, spec).await?.refused(422, &message).map(drop)
}

pub(crate) async fn expressions(stage: &Stage) -> Result<()> {
    let setup = Setup::new(stage).await?;
    let one = |expression: &str| json!({"validations": [{"expression": expression}]});
    let at = "spec.validations[0].expression: Invalid value:";
    refused(&setup, one("object.x"), &[&format!("{at} \"object.x\": must evaluate to bool but got dyn")])
        .await?;
    refused(&setup, one("'a' + 1 == 'b'"), &[&format!(
        "{at} \"'a' + 1 == 'b'\": compilation failed: ERROR: <input>:1:5: found no matching overload for '_+_' applied to \
         '(string, int)'\n | 'a' + 1 == 'b'\n | ....^"
    )])
    .await?;
    for (expression, name, column) in
        [("params.x == 1", "params", 1), ("variables.x == 1", "variables", 1), ("nobody == 1", "nobody", 1)]
    {
        refused(&setup, one(expression), &[&format!(
            "{at} \"{expression}\": compilation failed: ERROR: <input>:1:{column}: undeclared reference to '{name}' (in \
             container '')\n | {expression}\n | ^"
        )])
        .await?;
    }
    refused(&setup, one("request.nope == 'a'"), &[&format!(
        "{at} \"request.nope == 'a'\": compilation failed: ERROR: <input>:1:8: undefined field 'nope'\n | request.nope == \
         'a'\n | .......^"
    )])
    .await?;
    refused(&setup, one("namespaceObject.metadata.name == 1"), &[&format!(
        "{at} \"namespaceObject.metadata.name == 1\": compilation failed: ERROR: <input>:1:31: found no matching overload \
         for '_==_' applied to '(string, int)'\n | namespaceObject.metadata.name == 1\n | \
         ..............................^"
    )])
    .await?;
    refused(
        &setup,
        json!({"validations": [{"expression": "true", "messageExpression": "1"}]}),
        &["spec.validations[0].messageExpression: Invalid value: \"1\": must evaluate to string but got int"],
    )
    .await?;
    refused(
        &setup,
        json!({"auditAnnotations": [{"key": "a", "valueExpression": "1"}]}),
        &["spec.auditAnnotations[0].valueExpression: Invalid value: \"1\": must evaluate to one of [string null_type] but \
           got int"],
    )
    .await?;
    refused(
        &setup,
        json!({"variables": [{"name": "a", "expression": "variables.b"}, {"name": "b", "expression": "[1].size()"}],
               "validations": [{"expression": "variables.b == 'x'"}]}),
        &[
            "spec.variables[0].expression: Invalid value: \"variables.b\": compilation failed: ERROR: <input>:1:10: \
             undefined field 'b'\n | variables.b\n | .........^",
            "spec.validations[0].expression: Invalid value: \"variables.b == 'x'\": compilation failed: ERROR: \
             <input>:1:13: found no matching overload for '_==_' applied to '(int, string)'\n | variables.b == 'x'\n | \
             ............^",
        ],
    )
    .await?;
    refused(
        &setup,
        json!({"matchConditions": [{"name": "a", "expression": " 1 "}], "validations": [{"expression": "true"}]}),
        &["spec.matchConditions[0].expression: Invalid value: \"1\": must evaluate to bool but got int"],
    )
    .await?;
    // Messages can't ask the authorizer.
    policy(
        &setup,
        json!({"validations": [{
            "expression": "authorizer.path('/a').check('get').allowed()",
            "messageExpression": "authorizer.path('/a').check('get').reason()",
        }]}),
    )
    .await?
    .says(422, &["undeclared reference to 'authorizer' (in container '')"])
}

pub(crate) async fn fields(stage: &Stage) -> Result<()> {
    let setup = Setup::new(stage).await?;
    refused(
        &setup,
        json!({}),
        &[
            "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
            "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item",
        ],
    )
    .await?;
    refused(
        &setup,
        json!({"failurePolicy": "Maybe", "paramKind": {"apiVersion": "a/b/c", "kind": "X Y"},
               "matchConditions": [{"name": "", "expression": "true"}],
               "variables": [{"name": "a-b", "expression": "1"}, {"name": "c", "expression": " "}],
               "validations": [{"expression": "", "reason": "Gone", "message": "a\nb"}],
               "auditAnnotations": [{"key": "a", "valueExpression": "'x'"}, {"key": "a", "valueExpression": ""}]}),
        &[
            "spec.failurePolicy: Unsupported value: \"Maybe\": supported values: \"Fail\", \"Ignore\"",
            "spec.paramKind.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c",
            "spec.paramKind.kind: Invalid value: \"X Y\": may have mixed case, but should otherwise match: a DNS-1035 label \
             must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an \
             alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is \
             '[a-z]([-a-z0-9]*[a-z0-9])?')",
            "spec.matchConditions[0].name: Required value",
            "spec.variables[0].name: Invalid value: \"a-b\": must be a valid CEL identifier",
            "spec.variables[1].expression: Required value: expression is not specified",
            "spec.validations[0].expression: Required value: expression is not specified",
            "spec.validations[0].message: Invalid value: \"a\\nb\": must not contain line breaks",
            "spec.validations[0].reason: Unsupported value: \"Gone\": supported values: \"Forbidden\", \"Invalid\", \
             \"RequestEntityTooLarge\"",
            "spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified",
            "spec.auditAnnotations[1].key: Duplicate value: \"a\"",
        ],
    )
    .await?;
    let binding = async |spec: Value, errors: &str| {
        let path = format!("{BINDINGS}?dryRun=All");
        let message = format!(
            "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io \"b\" is invalid: {errors}"
        );
        let object = json!({"metadata": {"name": "b"}, "spec": spec});
        post(&setup.client, &path, &object).await?.refused(422, &message).map(drop)
    };
    binding(
        json!({"policyName": "p", "validationActions": ["Deny", "Warn"]}),
        "spec.validationActions: Invalid value: [\"Deny\",\"Warn\"]: must not contain both Deny and Warn (repeating the same \
         validation failure information in the API response and headers serves no purpose)",
    )
    .await?;
    binding(
        json!({"policyName": "p", "validationActions": ["Deny"], "paramRef": {"name": "a", "selector": {}}}),
        "[spec.paramRef.name: Forbidden: name and selector are mutually exclusive, spec.paramRef.selector: Forbidden: name \
         and selector are mutually exclusive, spec.paramRef.parameterNotFoundAction: Required value]",
    )
    .await?;
    let made = policy(&setup, json!({"validations": [{"expression": "true"}]})).await?.accepted()?.object;
    let spec = json!({
        "failurePolicy": "Fail",
        "matchConstraints": {
            "matchPolicy": "Equivalent", "objectSelector": {},
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": setup.namespace}},
            "resourceRules": [{
                "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"], "scope": "*",
            }],
        },
        "validations": [{"expression": "true"}],
    });
    ensure!(made["spec"] == spec, "{made}");
    let binding = json!({"metadata": {"name": "b"}, "spec": {
        "policyName": "p", "validationActions": ["Audit"], "matchResources": {},
    }});
    let made = post(&setup.client, &format!("{BINDINGS}?dryRun=All"), &binding).await?.accepted()?.object;
    let resources = json!({"matchPolicy": "Equivalent", "namespaceSelector": {}, "objectSelector": {}});
    ensure!(made["spec"]["matchResources"] == resources, "{made}");
    Ok(())
}

pub(crate) async fn type_checking(stage: &Stage) -> Result<()> {
    let setup = Setup::new(stage).await?;
    let name = setup.named("p");
    let constraints = setup.constraints(&json!([{
        "apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments", "replicasets"],
    }]));
    let spec = json!({
        "matchConstraints": constraints, "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "variables": [{"name": "replicas", "expression": "object.spec.replicas"}],
        "validations": [
            {"expression": "object.spec.replicas > 1 && variables.replicas > 1 && params.data['x'] == 'y'"},
            {"expression": "object.spec.replicass > 1", "messageExpression": "string(params.nope)"},
            {"expression": "variables.replicas == 'x'"},
            {"expression": "object.spec.strategy.type == 'Recreate'"},
            {"expression": "object.metadata.labels.all(k, k != 'x') && object.spec.template.spec.containers.all(c, \
                            c.image.startsWith('a'))"},
        ],
    });
    let object = json!({"metadata": {"name": name}, "spec": spec});
    post(&setup.client, POLICIES, &object).await?.accepted()?;
    let path = format!("{POLICIES}/{name}");
    let status = eventually("the status", || async {
        let policy = get(&setup.client, &path).await?;
        ensure!(policy["status"]["observedGeneration"] == 1, "{policy}");
        Ok(policy["status"].clone())
    })
    .await?;
    let told = |kind: &str, place: &str, what: &str, text: &str, column: usize| {
        format!(
            "apps/v1, Kind={kind}: ERROR: <input>:{place}: {what}\n | {text}\n | {}^\n",
            ".".repeat(column - 1)
        )
    };
    let both = |place: &str, what: &str, text: &str, column: usize| {
        ["Deployment", "ReplicaSet"].map(|kind| told(kind, place, what, text, column)).join("\n")
    };
    let overload = "found no matching overload for '_==_' applied to '(int, string)'";
    let expected = json!([
        {"fieldRef": "spec.validations[1].expression",
         "warning": both("1:12", "undefined field 'replicass'", "object.spec.replicass > 1", 12)},
        {"fieldRef": "spec.validations[1].messageExpression",
         "warning": both("1:14", "undefined field 'nope'", "string(params.nope)", 14)},
        {"fieldRef": "spec.validations[2].expression",
         "warning": both("1:20", overload, "variables.replicas == 'x'", 20)},
        {"fieldRef": "spec.validations[3].expression",
         "warning": told("ReplicaSet", "1:12", "undefined field 'strategy'", "object.spec.strategy.type == 'Recreate'", 12)},
    ]);
    let warnings = &status["typeChecking"]["expressionWarnings"];
    ensure!(*warnings == expected, "{warnings:#}\n{expected:#}");
    delete(&setup.client, &path).await?.accepted()?;
    Ok(())
}
