//! `pods/NAME/binding`: binds a pod to a node.

use client_rs_machinery::{ApiError, GroupResource, Json, Unstructured, json};

use super::topology;
use crate::kinds::rules::{Post, PostContext, Posted};

pub(in crate::kinds::core) const BINDING: Post =
    Post { api_version: "v1", kind: "Binding", named: true, run: bind };

#[allow(clippy::needless_pass_by_value, reason = "other actions complete the posted object and return it")]
fn bind(binding: Unstructured, context: &dyn PostContext) -> Result<Posted, ApiError> {
    let name = binding.name();
    let node = binding.nested_str(&["target", "name"]).ok().flatten().unwrap_or_default();
    let time = context.now().to_string();
    let place = context.find("", "nodes", "", node);
    context.update(name, &mut |mut pod| {
        let bound = pod.nested_str(&["spec", "nodeName"]).ok().flatten().unwrap_or_default();
        if !bound.is_empty() {
            let why = format!("pod {name} is already assigned to node {bound:?}");
            return Err(ApiError::conflict(&GroupResource::new("", "pods/binding"), name, why));
        }
        drop(pod.set_nested(&["spec", "nodeName"], node));
        binding.annotations().for_each(|(key, value)| pod.set_annotation(key, value));
        binding.labels().for_each(|(key, value)| pod.set_label(key, value));
        if let Some(place) = &place {
            topology::copy_labels(&mut pod, place);
        }
        let conditions = pod.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
        let others = conditions.iter().filter(|condition| condition["type"] != json!("PodScheduled"));
        let condition =
            json!({"type": "PodScheduled", "status": "True", "lastTransitionTime": time.as_str()});
        let all: Vec<Json> = others.cloned().chain([condition]).collect();
        drop(pod.set_nested(&["status", "conditions"], Json::from(all)));
        Ok(pod)
    })?;
    Ok(Posted::Done)
}
