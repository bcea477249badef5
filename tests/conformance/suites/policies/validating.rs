//! Validating policies: the values that they see, and the requests that they refuse.

use anyhow::{Result, ensure};
use client_rs_tests::{Stage, eventually};
use serde_json::json;

use crate::requests::{delete, patch, post};
use crate::setup::Setup;

pub(crate) async fn refuses(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let policy = json!({"validations": [
        {"expression": "object.data.x != 'plain'"},
        {"expression": "object.data.x != 'own'", "message": " its own "},
        {"expression": "object.data.x != 'made'", "message": "not used",
         "messageExpression": "'not ' + object.data.x + ' in ' + object.metadata.namespace"},
        {"expression": "object.data.x != 'broken'", "message": "used", "messageExpression": "string(object.data.none)"},
        {"expression": "object.data.x != 'lines'", "message": "used too", "messageExpression": "'a\\nb'"},
        {"expression": "object.data.x != 'forbidden'", "reason": "Forbidden"},
        {"expression": "object.data.x != 'large'", "reason": "RequestEntityTooLarge"},
    ]});
    setup.validating("p", policy, json!({})).await?;
    let made = format!("not made in {}", setup.namespace);
    for (x, code, reason, message) in [
        ("plain", 422, "Invalid", "failed expression: object.data.x != 'plain'"),
        ("own", 422, "Invalid", "its own"),
        ("made", 422, "Invalid", made.as_str()),
        ("broken", 422, "Invalid", "used"),
        ("lines", 422, "Invalid", "used too"),
        ("forbidden", 403, "Forbidden", "failed expression: object.data.x != 'forbidden'"),
        ("large", 413, "RequestEntityTooLarge", "failed expression: object.data.x != 'large'"),
    ] {
        let answer = setup.create_with(x).await?.refused(code, &setup.denied("p", message))?;
        ensure!(answer.reason == reason, "{x}: {}", answer.reason);
        let cause = setup.denied("p", message).replace("configmaps \"a\" is forbidden: ", "");
        ensure!(answer.causes == [cause], "{x}: {:?}", answer.causes);
    }
    setup.create_with("good").await?.accepted()?;
    setup.strike().await
}

pub(crate) async fn warns(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let policy = |message: &str| {
        json!({"validations": [
            {"expression": "object.data.x != 'bad'", "message": message},
            {"expression": "object.data.x.size() > 3", "message": "short"},
        ], "auditAnnotations": [{"key": "x", "valueExpression": "'x is ' + object.data.x"}]})
    };
    setup.validating("w", policy("bad"), json!({"validationActions": ["Warn", "Audit"]})).await?;
    setup.validating("z", policy("worse"), json!({"validationActions": ["Audit"]})).await?;
    let answer = setup.create_with("bad").await?.accepted()?;
    let name = setup.named("w");
    let told = |message: &str| {
        format!("Validation failed for ValidatingAdmissionPolicy '{name}' with binding '{name}': {message}")
    };
    ensure!(answer.warnings == [told("bad"), told("short")], "{:?}", answer.warnings);
    ensure!(setup.create_with("good").await?.accepted()?.warnings.is_empty());
    setup.strike().await
}

pub(crate) async fn operations(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let policy = json!({"validations": [
        {"expression": "request.operation != 'CREATE' || oldObject == null", "message": "an old object"},
        {"expression": "request.operation != 'UPDATE' || object.data.x >= oldObject.data.x", "message": "it shrinks"},
        {"expression": "request.operation != 'DELETE' || (object == null && oldObject.data.x == 'c')",
         "message": "it stays"},
    ]});
    setup.validating("p", policy, json!({})).await?;
    let maps = format!("/api/v1/namespaces/{}/configmaps", setup.namespace);
    post(&setup.client, &maps, &json!({"metadata": {"name": "a"}, "data": {"x": "b"}})).await?.accepted()?;
    let one = format!("{maps}/a");
    let shrinks = setup.denied("p", "it shrinks");
    patch(&setup.client, &one, &json!({"data": {"x": "a"}})).await?.refused(422, &shrinks)?;
    delete(&setup.client, &one).await?.refused(422, &setup.denied("p", "it stays"))?;
    patch(&setup.client, &one, &json!({"data": {"x": "c"}})).await?.accepted()?;
    delete(&setup.client, &one).await?.accepted()?;
    setup.strike().await
}

pub(crate) async fn failures(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let validations =
        json!([{"expression": "object.data.y == '1'"}, {"expression": "object.data.x != 'bad'"}]);
    let strict = json!({"validations": validations});
    let lenient = json!({"validations": validations, "failurePolicy": "Ignore"});
    setup.validating("ignore", lenient, json!({})).await?;
    setup.create_with("good").await?.accepted()?;
    let bad = setup.denied("ignore", "failed expression: object.data.x != 'bad'");
    setup.create_with("bad").await?.refused(422, &bad)?;
    setup.validating("fail", strict, json!({"validationActions": ["Deny"]})).await?;
    let why = "expression 'object.data.y == '1'' resulted in error: no such key: y";
    let answer = setup.create_with("good").await?.refused(422, &setup.denied("fail", why))?;
    ensure!(answer.reason == "Invalid", "{}", answer.reason);
    setup.strike().await
}

pub(crate) async fn variables(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let policy = json!({
        "variables": [
            {"name": "x", "expression": "object.data.x"},
            {"name": "words", "expression": "variables.x.split(' ')"},
            {"name": "broken", "expression": "object.data.none"},
        ],
        "validations": [
            {"expression": "variables.words.size() < 3",
             "messageExpression": "string(variables.words.size()) + ' words: ' + variables.x"},
            {"expression": "variables.x != 'broken' || variables.broken == '1'"},
        ],
    });
    setup.validating("p", policy, json!({})).await?;
    setup.create_with("a b").await?.accepted()?;
    setup.create_with("a b c").await?.refused(422, &setup.denied("p", "3 words: a b c"))?;
    let why = "expression 'variables.x != 'broken' || variables.broken == '1'' resulted in error: composited variable \
               \"broken\" fails to evaluate: no such key: none";
    setup.create_with("broken").await?.refused(422, &setup.denied("p", why))?;
    setup.strike().await
}

pub(crate) async fn request(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let namespace = format!("/api/v1/namespaces/{}", setup.namespace);
    let labels = json!({"metadata": {"labels": {"team": "a"}}});
    patch(&setup.client, &namespace, &labels).await?.accepted()?;
    let policy = json!({"validations": [{
        "expression": "object.data.x != 'tell'",
        "messageExpression": "[request.operation, request.name, request.kind.kind, request.resource.resource, \
                              request.userInfo.groups.exists(g, g == 'system:authenticated') ? 'known' : 'unknown', \
                              string(request.dryRun), string(request.options.kind)].join(' ')",
    }, {
        "expression": "object.data.x != 'space' || namespaceObject.metadata.labels['team'] != 'a'",
        "messageExpression": "namespaceObject.metadata.name == request.namespace ? namespaceObject.status.phase : ''",
    }, {
        "expression": "!has(request.subResource) && has(object.data.x) && !has(object.data.y) && object.?data.?y == \
                       optional.none()",
    }]});
    setup.validating("p", policy, json!({})).await?;
    let told = "CREATE a ConfigMap configmaps known true CreateOptions";
    setup.create_with("tell").await?.refused(422, &setup.denied("p", told))?;
    // A real server knows the labels of a namespace a moment later.
    eventually("the namespace", || async {
        setup.create_with("space").await?.refused(422, &setup.denied("p", "Active"))
    })
    .await?;
    setup.create_with("good").await?.accepted()?;
    setup.strike().await
}

pub(crate) async fn costs(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    // About 400,000 units each.
    let loops = "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, \
                 [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4].all(e, object.data.x != 'x')))))";
    let dear = format!(
        "object.data.x != 'dear' || {}",
        loops.replace("[1,2,3,4].all", "[1,2,3,4,5,6,7,8,9,10].all(f, [1,2].all").replace("'x')", "'x'))")
    );
    let many = format!("object.data.x != 'many' || {loops}");
    let validations: Vec<_> =
        (0..60).map(|_| json!({"expression": many})).chain([json!({"expression": dear})]).collect();
    setup.validating("p", json!({"validations": validations}), json!({})).await?;
    setup.create_with("good").await?.accepted()?;
    let why =
        format!("expression '{dear}' resulted in error: operation cancelled: actual cost limit exceeded");
    setup.create_with("dear").await?.refused(422, &setup.denied("p", &why))?;
    let why = "validation failed due to running out of cost budget, no further validation rules will be run";
    setup.create_with("many").await?.refused(422, &setup.denied("p", why))?;
    setup.strike().await
}

pub(crate) async fn custom_resources(stage: &Stage) -> Result<()> {
    let mut setup = Setup::new(stage).await?;
    let group = format!("{}.example.com", setup.namespace);
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": {
        "type": "object", "properties": {"size": {"type": "integer"}, "at": {"type": "string", "format": "date-time"}},
    }}}});
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("boxes.{group}")},
        "spec": {"group": group, "scope": "Namespaced", "names": {"plural": "boxes", "kind": "Box"},
                 "versions": [{"name": "v1", "served": true, "storage": true, "schema": schema}]},
    });
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    post(&setup.client, definitions, &definition).await?.accepted()?;
    let constraints = setup.constraints(&json!([{
        "apiGroups": [group], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["boxes"],
    }]));
    let policy = json!({"matchConstraints": constraints, "validations": [
        {"expression": "!has(object.spec) || object.spec.size <= 3", "message": "too large"},
        {"expression": "!has(object.spec) || type(object.spec.at) == string", "message": "not a text"},
    ]});
    setup.validating("p", policy, json!({})).await?;
    let boxes = format!("/apis/{group}/v1/namespaces/{}/boxes?dryRun=All", setup.namespace);
    let sized = |size: u8| {
        json!({"apiVersion": format!("{group}/v1"), "kind": "Box", "metadata": {"name": "a"},
               "spec": {"size": size, "at": "2020-01-01T00:00:00Z"}})
    };
    eventually("a box", || async { post(&setup.client, &boxes, &sized(3)).await?.accepted() }).await?;
    let denied = setup.denied("p", "too large").replace("configmaps", &format!("boxes.{group}"));
    post(&setup.client, &boxes, &sized(4)).await?.refused(422, &denied)?;
    delete(&setup.client, &format!("{definitions}/boxes.{group}")).await?.accepted()?;
    setup.strike().await
}
