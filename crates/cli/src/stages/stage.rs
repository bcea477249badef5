//! A stage: which objects it is for, when it is played, and what it changes.

use std::time::Duration;

use client_rs_machinery::{Json, Str, Time, Unstructured};

use super::fields::Fields;
use super::query::Query;
use super::steps::{self, Step};

/// The API of stages.
const API_VERSION: &str = "kwok.x-k8s.io/v1alpha1";

/// A stage.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) name: String,
    /// `apiVersion` and kind of its objects.
    pub(super) resource: (String, String),
    labels: Vec<(Str, Json)>,
    annotations: Vec<(Str, Json)>,
    requirements: Vec<Requirement>,
    weight: Given<i64>,
    delay: Option<Delay>,
    pub(super) steps: Vec<Step>,
    /// Whether the object is looked at again at once, and not only when it has changed.
    pub(super) immediate: bool,
}

#[derive(Debug)]
struct Requirement {
    query: Query,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
}

/// A value, or the result of a query over the object with the value as its default.
#[derive(Debug)]
struct Given<T> {
    value: Option<T>,
    query: Option<Query>,
}

#[derive(Debug)]
struct Delay {
    duration: Given<Duration>,
    jitter: Option<Given<Duration>>,
}

impl Stage {
    /// Reads a stage. A field that is not supported is an error that names it.
    pub(super) fn read(object: &Unstructured) -> Result<Self, String> {
        Self::of(object).map_err(|why| format!("stage {:?}: {why}", object.name()))
    }

    fn of(object: &Unstructured) -> Result<Self, String> {
        if (object.api_version(), object.kind()) != (API_VERSION, "Stage") {
            return Err(format!(
                "it is {} {}, and not {API_VERSION} Stage",
                object.api_version(),
                object.kind()
            ));
        }
        let whole = Json::Map(object.object.clone());
        let mut spec = Fields::of(whole.get("spec").unwrap_or(&Json::Null), "spec")?;
        let mut resource = spec.map("resourceRef")?;
        let version = resource.text("apiGroup").unwrap_or("v1").to_owned();
        let kind = resource.text("kind").ok_or("spec.resourceRef.kind is missing")?.to_owned();
        resource.end()?;
        let mut selector = spec.map("selector")?;
        let (labels, annotations) = (selector.pairs("matchLabels"), selector.pairs("matchAnnotations"));
        let requirements: Result<Vec<_>, _> =
            selector.maps("matchExpressions")?.into_iter().map(Requirement::read).collect();
        let requirements = requirements?;
        selector.end()?;
        let weight =
            Given { value: spec.number("weight").or(Some(0)), query: query_from(&mut spec, "weightFrom")? };
        let delay = if spec.has("delay") { Some(Delay::read(spec.map("delay")?)?) } else { None };
        let mut all = Vec::new();
        if spec.has("next") {
            all.extend(steps::next(spec.map("next")?)?);
        }
        for step in spec.maps("steps")? {
            all.extend(steps::one_step(step)?);
        }
        let immediate = spec.flag("immediateNextStage");
        spec.end()?;
        Ok(Self {
            name: object.name().to_owned(),
            resource: (version, kind),
            labels,
            annotations,
            requirements,
            weight,
            delay,
            steps: all,
            immediate,
        })
    }

    /// Whether the stage is for an object.
    fn matches(&self, object: &Json) -> bool {
        let metadata = object.get("metadata");
        let has = |field: &str, pairs: &[(Str, Json)]| {
            let map = metadata.and_then(|metadata| metadata.get(field));
            pairs.iter().all(|(key, value)| map.and_then(|map| map.get(&**key)) == Some(value))
        };
        has("labels", &self.labels)
            && has("annotations", &self.annotations)
            && self.requirements.iter().all(|requirement| requirement.holds(object))
    }

    /// The time until the stage is played, chosen at random between delay and jitter. `random` returns a number below its argument.
    pub(super) fn delay(&self, object: &Json, now: Time, random: &mut dyn FnMut(u64) -> u64) -> Duration {
        let Some(Delay { duration, jitter }) = &self.delay else { return Duration::ZERO };
        let of = |from: &Given<Duration>| from.get(object, |value| time_from(value, now));
        let Some(least) = of(duration) else { return Duration::ZERO };
        match jitter.as_ref().and_then(of) {
            None => least,
            Some(most) if most <= least => most,
            Some(most) => {
                let span = u64::try_from(most.saturating_sub(least).as_millis()).unwrap_or(u64::MAX).max(1);
                least + Duration::from_millis(random(span))
            }
        }
    }
}

/// The stage that is played next on an object, if one is for it: by weight, and by chance if none has a weight.
pub(super) fn choose<'s>(
    stages: &'s [Stage],
    object: &Json,
    random: &mut dyn FnMut(u64) -> u64,
) -> Option<&'s Stage> {
    let found: Vec<&Stage> = stages.iter().filter(|stage| stage.matches(object)).collect();
    if found.len() < 2 {
        return found.first().copied();
    }
    let weights: Vec<Option<u64>> = found
        .iter()
        .map(|stage| stage.weight.get(object, weight_from).map(|weight| u64::try_from(weight).unwrap_or(0)))
        .collect();
    let total: u64 = weights.iter().flatten().fold(0, |sum, weight| sum.saturating_add(*weight));
    let mut any = |of: Vec<&'s Stage>| {
        let count = u64::try_from(of.len()).unwrap_or(1).max(1);
        of.get(usize::try_from(random(count)).unwrap_or(0)).copied()
    };
    if total == 0 {
        let weighed: Vec<&Stage> = found
            .iter()
            .zip(&weights)
            .filter(|(_, weight)| weight.is_some())
            .map(|(stage, _)| *stage)
            .collect();
        return any(if weighed.is_empty() { found } else { weighed });
    }
    let mut at = random(total);
    for (stage, weight) in found.iter().zip(&weights) {
        let weight = weight.unwrap_or(0);
        if at < weight {
            return Some(stage);
        }
        at -= weight;
    }
    None
}

/// The result of a query, read as a value.
enum Read<T> {
    Value(T),
    /// An empty text: there is no value, and no default either.
    Empty,
    /// Something else: the default holds.
    Other,
}

impl<T: Copy> Given<T> {
    fn get(&self, object: &Json, read: impl Fn(&Json) -> Read<T>) -> Option<T> {
        let found = self.query.as_ref().and_then(|query| query.run(object));
        match found.and_then(|found| found.first().map(|first| read(first))) {
            Some(Read::Value(value)) => Some(value),
            Some(Read::Empty) => None,
            Some(Read::Other) | None => self.value,
        }
    }
}

/// The time until a point in time, or a duration of Go.
fn time_from(value: &Json, now: Time) -> Read<Duration> {
    let Some(text) = value.as_str() else { return Read::Other };
    if text.is_empty() {
        return Read::Empty;
    }
    if let Ok(time) = text.parse::<Time>() {
        let left = time.seconds().saturating_sub(now.seconds());
        return Read::Value(Duration::from_secs(u64::try_from(left).unwrap_or(0)));
    }
    match client_rs_machinery::Duration::parse(text) {
        Ok(duration) => Read::Value(Duration::from_nanos(u64::try_from(duration.as_nanos()).unwrap_or(0))),
        Err(_) => Read::Other,
    }
}

fn weight_from(value: &Json) -> Read<i64> {
    match (value, value.as_i64()) {
        (Json::Str(text), _) => text.parse().map_or(Read::Empty, Read::Value),
        (_, Some(number)) => Read::Value(number),
        (_, None) => Read::Other,
    }
}

impl Requirement {
    fn read(mut fields: Fields<'_>) -> Result<Self, String> {
        let mut inner = if fields.has("jq") {
            let inner = fields.map("jq")?;
            fields.end()?;
            inner
        } else {
            fields
        };
        if inner.has("cel") {
            return Err(format!("{}.cel is not supported", inner.path()));
        }
        let key = inner.text("key").ok_or_else(|| format!("{}.key is missing", inner.path()))?;
        let query = Query::parse(key)?;
        let operator = match inner.text("operator").unwrap_or_default() {
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            "Exists" => Operator::Exists,
            "DoesNotExist" => Operator::DoesNotExist,
            other => return Err(format!("the operator {other:?} is not supported")),
        };
        let values = inner.texts("values");
        if matches!(operator, Operator::In | Operator::NotIn) == values.is_empty() {
            return Err(format!("{}.values does not fit the operator {operator:?}", inner.path()));
        }
        inner.end()?;
        Ok(Self { query, operator, values })
    }

    fn holds(&self, object: &Json) -> bool {
        let found = self.query.run(object).unwrap_or_default();
        let has = || {
            found.iter().any(|one| match one {
                Json::Str(text) => self.values.iter().any(|value| **value == **text),
                Json::Bool(_) | Json::Int(_) => self.values.contains(&one.to_string()),
                _ => false,
            })
        };
        match self.operator {
            Operator::In => has(),
            Operator::NotIn => !has(),
            Operator::Exists => !found.is_empty(),
            Operator::DoesNotExist => found.is_empty(),
        }
    }
}

impl Delay {
    fn read(mut fields: Fields<'_>) -> Result<Self, String> {
        let millis = |number: Option<i64>| {
            number.map(|number| Duration::from_millis(u64::try_from(number).unwrap_or(0)))
        };
        let duration = Given {
            value: millis(fields.number("durationMilliseconds")).or(Some(Duration::ZERO)),
            query: query_from(&mut fields, "durationFrom")?,
        };
        let jitters = fields.has("jitterDurationMilliseconds") || fields.has("jitterDurationFrom");
        let jitter = Given {
            value: millis(fields.number("jitterDurationMilliseconds")),
            query: query_from(&mut fields, "jitterDurationFrom")?,
        };
        fields.end()?;
        Ok(Self { duration, jitter: jitters.then_some(jitter) })
    }
}

/// The query of `expressionFrom`, or of `jq.expression`.
fn query_from(fields: &mut Fields<'_>, name: &str) -> Result<Option<Query>, String> {
    if !fields.has(name) {
        return Ok(None);
    }
    let mut from = fields.map(name)?;
    let text = if from.has("jq") {
        let mut inner = from.map("jq")?;
        let text = inner.text("expression").unwrap_or_default().to_owned();
        inner.end()?;
        text
    } else {
        from.text("expressionFrom").unwrap_or_default().to_owned()
    };
    from.end()?;
    Query::parse(&text).map(Some)
}

#[cfg(test)]
mod tests {
    use client_rs_client::manifest;
    use client_rs_machinery::json;
    use client_rs_machinery::patch::Patch;

    use super::super::functions::tests::Fixed;
    use super::*;

    fn stages(text: &str) -> Result<Vec<Stage>, String> {
        manifest::read(text).unwrap().iter().map(|one| Stage::read(&one.object)).collect()
    }

    fn stage(spec: &str) -> Result<Stage, String> {
        let text = format!(
            "apiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nmetadata:\n  name: s\nspec:\n  resourceRef:\n    kind: Pod\n{spec}"
        );
        stages(&text).map(|mut all| all.remove(0))
    }

    const ENDS: &str = r#"
  selector:
    matchLabels: {app: web}
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - {key: '.status.phase', operator: In, values: [Running]}
    - jq: {key: '.metadata.ownerReferences.[].kind', operator: In, values: [Job]}
  delay:
    durationMilliseconds: 1000
    durationFrom: {expressionFrom: '.metadata.annotations["delay"]'}
    jitterDurationMilliseconds: 5000
  weight: 2
  weightFrom: {expressionFrom: '.metadata.annotations["weight"]'}
  next:
    event: {type: Normal, reason: Done, message: it is done}
    finalizers:
      remove: [{value: example.com/hold}]
      add: [{value: example.com/seen}]
    statusTemplate: |
      {{ $now := Now }}
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        state:
          terminated:
            exitCode: 0
            finishedAt: {{ $now | Quote }}
      {{ end }}
      phase: Succeeded
"#;

    fn pod(annotations: &Json) -> Json {
        json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {
                "name": "p", "labels": {"app": "web", "x": "y"}, "annotations": annotations.clone(),
                "ownerReferences": [{"kind": "Job"}], "finalizers": ["example.com/hold", "example.com/other"],
            },
            "spec": {"containers": [{"name": "c"}]}, "status": {"phase": "Running"},
        })
    }

    #[test]
    fn a_stage_is_for_the_objects_of_its_selector() {
        let stage = stage(ENDS).unwrap();
        assert_eq!(stage.resource, ("v1".to_owned(), "Pod".to_owned()));
        let good = pod(&json!({}));
        assert!(stage.matches(&good));
        for (path, value) in [
            (&["metadata", "deletionTimestamp"][..], json!("2026-01-01T00:00:00Z")),
            (&["metadata", "labels"], json!({"app": "other"})),
            (&["metadata", "ownerReferences"], json!([{"kind": "ReplicaSet"}])),
            (&["metadata", "ownerReferences"], Json::Null),
            (&["status", "phase"], json!("Pending")),
        ] {
            let mut other = good.clone();
            other.set(path, value).unwrap();
            assert!(!stage.matches(&other), "{other}");
        }
    }

    #[test]
    fn the_delay_is_between_its_limits_or_comes_from_the_object() {
        let stage = stage(ENDS).unwrap();
        let now = Time::parse("2026-01-01T00:00:00Z").unwrap();
        let millis =
            |object: &Json, random: fn(u64) -> u64| stage.delay(object, now, &mut { random }).as_millis();
        let plain = pod(&json!({}));
        assert_eq!((millis(&plain, |_| 0), millis(&plain, |most| most - 1)), (1000, 4999));
        // A longer delay than the jitter is cut, as in KWOK.
        assert_eq!(millis(&pod(&json!({"delay": "1m"})), |_| 0), 5000);
        assert_eq!(millis(&pod(&json!({"delay": "4s"})), |_| 0), 4000);
        assert_eq!(millis(&pod(&json!({"delay": "2026-01-01T00:00:02Z"})), |_| 0), 2000);
        assert_eq!(millis(&pod(&json!({"delay": "soon"})), |_| 0), 1000);
    }

    #[test]
    fn stages_are_chosen_by_weight() {
        let one = |name: &str, weight: i64| {
            let mut stage = stage(ENDS).unwrap();
            name.clone_into(&mut stage.name);
            stage.weight.value = Some(weight);
            stage
        };
        let all = [one("a", 1), one("b", 3), one("c", 0)];
        let picked = |object: &Json, at: u64| {
            choose(&all, object, &mut |most| at.min(most - 1)).map(|stage| stage.name.clone()).unwrap()
        };
        let plain = pod(&json!({}));
        let seen: Vec<String> = (0..4).map(|at| picked(&plain, at)).collect();
        assert_eq!(seen, ["a", "b", "b", "b"]);
        // A weight of the object is that of all of them here.
        let own = pod(&json!({"weight": "5"}));
        assert_eq!(
            (picked(&own, 4), picked(&own, 9), picked(&own, 14)),
            ("a".into(), "b".into(), "c".into())
        );
        // Without weights chance decides among all.
        let none = [one("a", 0), one("b", 0)];
        assert_eq!(choose(&none, &plain, &mut |_| 1).unwrap().name, "b");
        assert!(choose(&none, &json!({}), &mut |_| 0).is_none());
    }

    #[test]
    fn steps_are_patches_of_the_object() {
        let stage = stage(ENDS).unwrap();
        let object = pod(&json!({}));
        let patches: Vec<Option<Patch>> =
            stage.steps.iter().map(|step| step.patch(&object, &Fixed).unwrap()).collect();
        assert!(patches[0].is_none());
        assert_eq!(
            patches[1],
            Some(Patch::Merge(
                json!({"metadata": {"finalizers": ["example.com/other", "example.com/seen"]}})
            ))
        );
        assert_eq!(
            patches[2],
            Some(Patch::Strategic(json!({"status": {
                "containerStatuses": [{"name": "c", "state": {"terminated": {"exitCode": 0, "finishedAt": "2026-01-01T00:00:00Z"}}}],
                "phase": "Succeeded",
            }})))
        );
        let other = stage_of_steps();
        let patches: Vec<Option<Patch>> =
            other.steps.iter().map(|step| step.patch(&object, &Fixed).unwrap()).collect();
        assert_eq!(patches[0], Some(Patch::Merge(json!({"metadata": {"annotations": {"a": "p"}}}))));
        let body = patches[1].as_ref().map(Patch::body).unwrap();
        assert_eq!(Json::parse(&body).unwrap(), json!([{"op": "add", "path": "/spec/x", "value": 1}]));
        assert_eq!(patches[2], Some(Patch::Merge(json!({"metadata": {"finalizers": []}}))));
        assert!(matches!(other.steps[3], Step::Delete));
    }

    fn stage_of_steps() -> Stage {
        let text = "  selector: {}\n  steps:\n  - patch: {root: metadata, type: merge, template: 'annotations: {a: {{ .metadata.name }}}'}\n  \
                    - patch: {root: spec, type: json, template: '[{op: add, path: /x, value: 1}]'}\n  - finalizers: {empty: true}\n  - delete: true\n";
        stage(text).unwrap()
    }

    #[test]
    fn fields_that_are_not_supported_are_refused_by_name() {
        for (spec, why) in [
            (
                "  selector: {matchExpressions: [{cel: {expression: 'true'}}]}\n",
                "spec.selector.matchExpressions[0].cel is not supported",
            ),
            ("  selector: {}\n  steps: [{apply: {template: x}}]\n", "spec.steps[0].apply is not supported"),
            (
                "  selector: {}\n  next: {statusPatchAs: {username: x}}\n",
                "spec.next.statusPatchAs is not supported",
            ),
            ("  selector: {}\n  speed: 3\n", "spec.speed is not supported"),
            (
                "  selector: {}\n  next: {statusTemplate: '{{ upper .x }}'}\n",
                "the template function upper is not supported",
            ),
            (
                "  selector: {matchExpressions: [{key: .a, operator: In}]}\n",
                "spec.selector.matchExpressions[0].values does not fit the operator In",
            ),
            (
                "  selector: {matchExpressions: [{key: .a, operator: Near, values: [x]}]}\n",
                "the operator \"Near\" is not supported",
            ),
            (
                "  selector: {}\n  weightFrom: {cel: {expression: '1'}}\n",
                "spec.weightFrom.cel is not supported",
            ),
        ] {
            assert_eq!(stage(spec).unwrap_err(), format!("stage \"s\": {why}"), "{spec}");
        }
        assert!(
            stages("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\n")
                .unwrap_err()
                .contains("and not kwok")
        );
    }
}
