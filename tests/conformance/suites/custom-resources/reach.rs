//! The reach of webhooks: other versions of a resource, names of services, connections through a server.

use anyhow::{Context, Result, ensure};
use client_rs_api::admissionregistration::v1::ValidatingWebhookConfiguration;
use client_rs_api::autoscaling::v1::HorizontalPodAutoscaler as Older;
use client_rs_api::autoscaling::v2::HorizontalPodAutoscaler;
use client_rs_api::core::v1::{
    ConfigMap, Pod, PodAttachOptions, PodExecOptions, PodPortForwardOptions, PodProxyOptions, Service,
};
use client_rs_client::{Api, Verb};
use client_rs_custom::webhook::{Denied, Hook, Review};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Json, json};
use client_rs_tests::{Stage, eventually};

use super::webhooks::{Served, denied, map, refused, refusing_of, serve, serve_as, webhook};

/// A configuration of these webhooks.
fn configuration(name: &str, webhooks: &[Json]) -> Result<ValidatingWebhookConfiguration> {
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": name}, "webhooks": webhooks.to_vec(),
    });
    Ok(ValidatingWebhookConfiguration::from_json(&configuration.to_vec())?)
}

/// A webhook for one version of a resource reviews requests in other versions, unless it matches its own version
/// exactly.
pub(super) async fn equivalent(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let telling = Hook::admission(|review: Review<Older>| async move {
        let request = &review.request;
        let asked = request.request_kind.as_ref().map(|kind| kind.version.to_string()).unwrap_or_default();
        let target = review.object.map(|object| object.spec.target_cpu_utilization_percentage);
        let why = format!("{} of {asked}, target {:?}", request.kind.version, target.flatten());
        Err(Denied::because(why))
    });
    let served = serve(stage, vec![("/tell", telling), ("/refuse", refusing_of::<Older>("never"))]).await?;
    let rules = |policy: &str| {
        json!({"matchPolicy": policy, "rules": [{
            "apiGroups": ["autoscaling"], "apiVersions": ["v1"], "operations": ["CREATE"],
            "resources": ["horizontalpodautoscalers"],
        }]})
    };
    let hook = |name: &str, path: &str, policy: &str| {
        let url = format!("{}{path}", served.url);
        webhook(name, &namespace, &url, &served.bundle, &rules(policy))
    };
    let name = format!("e-{namespace}");
    let hooks = [hook("exact", "/refuse", "Exact"), hook("any", "/tell", "Equivalent")];
    let validators = Api::<ValidatingWebhookConfiguration>::cluster(&rest);
    validators.create(configuration(&name, &hooks)?).await?;
    let autoscaler = json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "scaled"},
        "spec": {
            "maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"},
            "metrics": [{"type": "Resource", "resource": {
                "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 42},
            }}],
        },
    });
    let autoscaler = HorizontalPodAutoscaler::from_json(&autoscaler.to_vec())?;
    let autoscalers = Api::<HorizontalPodAutoscaler>::namespaced(&rest, namespace.as_str());
    let expected = denied("any", "v1 of v2, target Some(42)");
    refused("the other version", &expected, || autoscalers.create(autoscaler.clone()).dry_run()).await?;
    validators.delete(&name).await?;
    served.stop.cancel();
    Ok(())
}

/// A webhook behind a service is called at the service's address, and its certificate must have the service's name.
pub(super) async fn service(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let known_as = format!("hooks.{namespace}.svc");
    let served = serve_as(stage, &known_as, vec![("/refuse", refusing_of::<ConfigMap>("by name"))]).await?;
    let Served { url, bundle, stop } = served;
    let port: i64 = url.rsplit(':').next().unwrap_or_default().parse()?;
    let services = Api::<Service>::namespaced(&rest, namespace.as_str());
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "hooks"},
        "spec": {"type": "ExternalName", "externalName": "localhost"},
    });
    services.create(Service::from_json(&service.to_vec())?).await?;
    let of = |name: &str, condition: &str, service: &str| {
        let client = json!({
            "service": {"namespace": namespace.as_str(), "name": service, "path": "/refuse", "port": port},
            "caBundle": bundle.as_str(),
        });
        let condition =
            json!({"name": "named", "expression": format!("object.metadata.name == '{condition}'")});
        webhook(name, &namespace, "", "", &json!({"clientConfig": client, "matchConditions": [condition]}))
    };
    let name = format!("s-{namespace}");
    let validators = Api::<ValidatingWebhookConfiguration>::cluster(&rest);
    let hooks = [of("service", "called", "hooks"), of("missing", "lost", "nobody")];
    validators.create(configuration(&name, &hooks)?).await?;
    let maps = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    refused("the service", &denied("service", "by name"), || maps.create(map("called")).dry_run()).await?;
    eventually("the service that is not there", || async {
        let error = maps.create(map("lost")).dry_run().await.err().context("it was taken")?.to_string();
        ensure!(
            error.contains("failed calling webhook") && error.contains("\"nobody\" not found"),
            "{error}"
        );
        Ok(())
    })
    .await?;
    validators.delete(&name).await?;
    stop.cancel();
    Ok(())
}

/// A connect request through a server is reviewed, with its options.
pub(super) async fn connect(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let telling = Hook::admission(|review: Review<PodExecOptions>| async move {
        let (request, options) = (&review.request, review.object.as_ref());
        let command = options.map(|options| options.command.join(" ")).unwrap_or_default();
        let why = format!(
            "{} of {}/{}: {} {command}",
            request.operation, request.name, request.sub_resource, request.kind.kind
        );
        Err(Denied::because(why))
    });
    let hooks = vec![
        ("/tell", telling),
        ("/attach", refusing_of::<PodAttachOptions>("no")),
        ("/forward", refusing_of::<PodPortForwardOptions>("no")),
        ("/proxy", refusing_of::<PodProxyOptions>("no")),
    ];
    let served = serve(stage, hooks).await?;
    let rules = |resource: &str| {
        json!({"rules": [{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CONNECT"], "resources": [resource],
        }]})
    };
    let hook = |name: &str, path: &str, resource: &str| {
        let url = format!("{}{path}", served.url);
        webhook(name, &namespace, &url, &served.bundle, &rules(resource))
    };
    let name = format!("x-{namespace}");
    let hooks = [
        hook("exec", "/tell", "pods/exec"),
        hook("attach", "/attach", "pods/attach"),
        hook("forward", "/forward", "pods/portforward"),
        hook("proxy", "/proxy", "pods/proxy"),
    ];
    let validators = Api::<ValidatingWebhookConfiguration>::cluster(&rest);
    validators.create(configuration(&name, &hooks)?).await?;
    let pods = Api::<Pod>::namespaced(&rest, namespace.as_str());
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "reached"},
        "spec": {"containers": [{"name": "app", "image": "app"}], "nodeName": "nowhere"},
    });
    eventually("the pod", || async {
        match pods.create(Pod::from_json(&pod.to_vec())?).await {
            Err(error) if !error.is_already_exists() => Err(error.into()),
            _ => Ok(()),
        }
    })
    .await?;
    let expected = denied("exec", "CONNECT of reached/exec: PodExecOptions ls -l");
    refused("exec", &expected, || pods.exec("reached", ["ls", "-l"]).container("app")).await?;
    refused("attach", &denied("attach", "no"), || pods.attach("reached").container("app")).await?;
    refused("forward", &denied("forward", "no"), || pods.port_forward("reached")).await?;
    refused("proxy", &denied("proxy", "no"), || pods.proxy("reached", Verb::Get, "/")).await?;
    validators.delete(&name).await?;
    served.stop.cancel();
    Ok(())
}
