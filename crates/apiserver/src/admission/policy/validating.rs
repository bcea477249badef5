//! Validating policies.

use client_rs_cel::Value;
use client_rs_machinery::{
    ApiError, ErrorCause, ErrorStatus, Json, StatusReason, Unstructured, collections::VecMap, json,
};
use client_rs_schema::cel_value;

use super::activation::{BUDGET, OUT_OF_BUDGET};
use super::params::NoParams;
use super::{Action, Activation, Annotation, Binding, Inputs, MATCH_BUDGET, Policy, Validation};
use crate::admission::criteria::Matched;
use crate::admission::session::Session;
use crate::registry::Subject;

/// The maximum number of bytes of a message that an expression makes.
const MESSAGE_MAX: usize = 5 * 1024;
/// The maximum number of bytes of an audit annotation.
const ANNOTATION_MAX: usize = 10 * 1024;
/// The maximum number of failures in an audit annotation.
const FAILURES_MAX: usize = 50;
/// The audit annotation with the failures.
const FAILURES: &str = "validation.policy.admission.k8s.io/validation_failure";

/// The outcome of a validation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Decision {
    Admitted,
    Refused {
        message: String,
        /// Empty if an error refuses the request.
        reason: String,
    },
}

impl Decision {
    /// The outcome of a validation that has an error.
    fn of_error(policy: &Policy, message: String) -> Self {
        if policy.ignores_failure { Self::Admitted } else { Self::Refused { message, reason: String::new() } }
    }
}

/// The value of an audit annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Annotated {
    Published { key: String, value: String },
    Excluded,
    Failed(String),
}

/// The outcome of a policy, with one set of parameters.
#[derive(Debug, Default, PartialEq, Eq)]
struct Evaluation {
    decisions: Vec<Decision>,
    annotations: Vec<Annotated>,
}

/// The first refusal of a request.
#[derive(Debug)]
struct Refusal<'p> {
    policy: &'p str,
    binding: Option<&'p str>,
    message: String,
    reason: String,
}

/// The result of all policies for a request.
#[derive(Debug, Default)]
struct Verdict<'p> {
    /// The first refusal: it is the error of the request.
    refusal: Option<Refusal<'p>>,
    /// The failures for the audit log.
    failures: Vec<Json>,
}

impl<'p> Verdict<'p> {
    fn refuse(&mut self, policy: &'p Policy, binding: Option<&'p Binding>, message: String, reason: String) {
        let binding = binding.map(|binding| binding.name.as_str());
        self.refusal.get_or_insert(Refusal { policy: &policy.name, binding, message, reason });
    }

    /// A policy or a binding can't be evaluated.
    fn misconfigured(&mut self, policy: &'p Policy, binding: Option<&'p Binding>, why: &str) {
        if !policy.ignores_failure {
            let what = if binding.is_some() { "binding" } else { "policy" };
            self.refuse(policy, binding, format!("failed to configure {what}: {why}"), String::new());
        }
    }

    /// Takes the outcome of a policy. Returns the warnings.
    fn take(
        &mut self,
        policy: &'p Policy,
        binding: &'p Binding,
        evaluation: Evaluation,
        annotations: &mut VecMap<String, Vec<String>>,
    ) -> Vec<String> {
        let mut warnings = Vec::new();
        for (index, decision) in evaluation.decisions.into_iter().enumerate() {
            let Decision::Refused { message, reason } = decision else { continue };
            for action in &binding.actions {
                match action {
                    Action::Deny => self.refuse(policy, Some(binding), message.clone(), reason.clone()),
                    Action::Warn => warnings.push(format!(
                        "Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': {message}",
                        policy.name, binding.name
                    )),
                    Action::Audit => {
                        let actions: Vec<&str> =
                            binding.actions.iter().map(|action| action.as_str()).collect();
                        self.failures.push(json!({
                            "message": message.as_str(), "policy": policy.name.as_str(),
                            "binding": binding.name.as_str(), "expressionIndex": index, "validationActions": actions,
                        }));
                    }
                }
            }
        }
        for annotated in evaluation.annotations {
            match annotated {
                Annotated::Published { key, value } => {
                    let values = annotations.entry(key).or_default();
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                Annotated::Failed(message) => self.refuse(policy, Some(binding), message, String::new()),
                Annotated::Excluded => {}
            }
        }
        warnings
    }
}

/// The values of a request in each version that policies match.
#[derive(Default)]
pub(super) struct Versions(VecMap<String, Inputs>);

impl Session {
    /// Evaluates the validating policies of a request.
    pub(in crate::admission) fn validate_by_policies(
        &self,
        subject: &Subject<'_>,
        object: Option<&Json>,
        old: Option<&Json>,
    ) -> Result<(), ApiError> {
        let policies = self.webhooks.policies(&self.registry);
        let mut verdict = Verdict::default();
        let mut versions = Versions::default();
        for policy in &policies.validating {
            self.validate_by(policy, subject, (object, old), &mut versions, &mut verdict)?;
        }
        if !verdict.failures.is_empty() {
            verdict.failures.truncate(FAILURES_MAX);
            self.annotate(FAILURES, &Json::from(verdict.failures).to_string());
        }
        match verdict.refusal {
            None => Ok(()),
            Some(refusal) => Err(refused(subject, &self.shown_name(subject, object.or(old)), &refusal)),
        }
    }

    /// Evaluates a policy for each of its bindings, with each of their parameters.
    fn validate_by<'p>(
        &self,
        policy: &'p Policy,
        subject: &Subject<'_>,
        (object, old): (Option<&Json>, Option<&Json>),
        versions: &mut Versions,
        verdict: &mut Verdict<'p>,
    ) -> Result<(), ApiError> {
        let matched = match self.matched(&policy.criteria, subject, object, old) {
            Ok(Some(matched)) => matched,
            Ok(None) => return Ok(()),
            Err(error) => {
                verdict.misconfigured(policy, None, error.message());
                return Ok(());
            }
        };
        let served = match self.param_resource(policy) {
            Ok(served) => served,
            Err(why) => {
                verdict.misconfigured(policy, None, &why);
                return Ok(());
            }
        };
        let mut annotations: VecMap<String, Vec<String>> = VecMap::new();
        for binding in &policy.bindings {
            match binding.criteria.as_ref().map(|criteria| self.matched(criteria, subject, object, old)) {
                None | Some(Ok(Some(_))) => {}
                Some(Ok(None)) => continue,
                Some(Err(error)) => {
                    verdict.misconfigured(policy, Some(binding), error.message());
                    continue;
                }
            }
            let params = match self.params(served.as_ref(), binding, subject.namespace) {
                Ok(params) => params,
                Err(NoParams::Now(error)) => return Err(error),
                Err(NoParams::Configuration(why)) => {
                    verdict.misconfigured(policy, Some(binding), &why);
                    continue;
                }
            };
            if params.is_empty() {
                continue;
            }
            let inputs = self.inputs(versions, subject, &matched, object, old)?;
            let namespace = self.namespace_object(subject)?;
            for params in params {
                let params = params.as_ref().map_or(Value::Null, cel_value);
                let evaluation = evaluate(policy, &Inputs { params, ..inputs.clone() }, &namespace);
                for warning in verdict.take(policy, binding, evaluation, &mut annotations) {
                    self.warn(&warning);
                }
            }
        }
        for (key, values) in annotations {
            self.annotate(&format!("{}/{key}", policy.name), &values.join(", "));
        }
        Ok(())
    }

    /// The name of the object in an error. An object without a name has its prefix.
    pub(super) fn shown_name(&self, subject: &Subject<'_>, object: Option<&Json>) -> String {
        let name = self.name_of(subject, object);
        if !name.is_empty() {
            return name;
        }
        let metadata = object.map(|object| &object["metadata"]);
        let text =
            |key: &str| metadata.and_then(|metadata| metadata[key].as_str()).filter(|text| !text.is_empty());
        text("name").or_else(|| text("generateName")).unwrap_or("Unknown").to_owned()
    }

    /// The values of a request in the version that a policy matches.
    pub(super) fn inputs(
        &self,
        versions: &mut Versions,
        subject: &Subject<'_>,
        matched: &Matched,
        object: Option<&Json>,
        old: Option<&Json>,
    ) -> Result<Inputs, ApiError> {
        let version = matched.equivalent.as_ref().map(|other| other.api_version()).unwrap_or_default();
        if let Some(known) = versions.0.get(&version) {
            return Ok(known.clone());
        }
        let inputs = self.inputs_in(subject, matched, object, old)?;
        versions.0.insert(version, inputs.clone());
        Ok(inputs)
    }

    pub(super) fn inputs_in(
        &self,
        subject: &Subject<'_>,
        matched: &Matched,
        object: Option<&Json>,
        old: Option<&Json>,
    ) -> Result<Inputs, ApiError> {
        let in_version = |json: Option<&Json>| -> Result<Option<Json>, ApiError> {
            match (json, &matched.equivalent) {
                (Some(json), Some(to)) if subject.kind.is_none() => {
                    self.in_version(subject.served, to, json.clone()).map(Some)
                }
                (json, _) => Ok(json.cloned()),
            }
        };
        let (object, old) = (in_version(object)?, in_version(old)?);
        let known = object.as_ref().or(old.as_ref());
        let request = self.request(subject, matched.equivalent.as_deref(), known);
        let authorizer = self.authorizer(subject, &self.name_of(subject, known));
        Ok(Inputs::new(object.as_ref(), old.as_ref(), &request, authorizer))
    }

    /// The namespace of the request as expressions see it; null for an object without one.
    pub(super) fn namespace_object(&self, subject: &Subject<'_>) -> Result<Value, ApiError> {
        if subject.namespace.is_empty() || subject.served.rules.is_namespace {
            return Ok(Value::Null);
        }
        let Some(namespaces) = self.registry.catalog().find("", "v1", "namespaces") else {
            return Ok(Value::Null);
        };
        let found = self.registry.get(&namespaces, "", subject.namespace)?;
        Ok(cel_value(&seen_namespace(&found.stored.object)))
    }
}

/// The fields of a namespace that expressions see.
fn seen_namespace(namespace: &Unstructured) -> Json {
    const METADATA: [&str; 11] = [
        "name",
        "generateName",
        "labels",
        "annotations",
        "uid",
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generation",
        "resourceVersion",
        "finalizers",
    ];
    let part = |key: &str| namespace.object.get(key).cloned().unwrap_or(Json::EMPTY_MAP);
    let mut metadata = part("metadata");
    let hidden: Vec<String> = metadata
        .as_map()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !METADATA.contains(&key.as_str()))
        .map(|(key, _)| key.to_string())
        .collect();
    for key in hidden {
        metadata.remove(&[&key]);
    }
    json!({"metadata": metadata, "spec": part("spec"), "status": part("status")})
}

/// Evaluates a policy with one set of parameters.
fn evaluate(policy: &Policy, inputs: &Inputs, namespace: &Value) -> Evaluation {
    let failed = |message: String| Evaluation {
        decisions: vec![Decision::of_error(policy, message)],
        annotations: Vec::new(),
    };
    if !policy.conditions.is_empty() {
        match Activation::new(&policy.variables, inputs, MATCH_BUDGET).met(&policy.conditions) {
            Ok(true) => {}
            Ok(false) => return Evaluation::default(),
            Err(_) if policy.ignores_failure => return Evaluation::default(),
            Err(why) => return failed(why),
        }
    }
    let inputs = Inputs { namespace: namespace.clone(), ..inputs.clone() };
    let silent = Inputs { authorizer: None, ..inputs.clone() };
    let mut activation = Activation::new(&policy.variables, &inputs, BUDGET);
    let mut results = Vec::with_capacity(policy.validations.len());
    for validation in &policy.validations {
        match activation.evaluate(&validation.condition) {
            Ok(result) => results.push(result),
            Err(_) => return failed(OUT_OF_BUDGET.to_owned()),
        }
    }
    let messages = messages(policy, &silent, activation.budget);
    let decisions =
        policy.validations.iter().zip(results).enumerate().map(|(index, (validation, result))| {
            match (result, &messages) {
                (Err(why), _) => Decision::of_error(policy, why),
                (Ok(_), None) => {
                    Decision::of_error(policy, format!("failed messageExpression: {OUT_OF_BUDGET}"))
                }
                (Ok(Value::Bool(true)), _) => Decision::Admitted,
                (Ok(_), Some(messages)) => {
                    let reason = if validation.reason.is_empty() { "Invalid" } else { &validation.reason };
                    let message = message(validation, messages.get(index).and_then(Option::as_deref));
                    Decision::Refused { message, reason: reason.to_owned() }
                }
            }
        });
    let decisions = decisions.collect();
    match annotations(policy, &silent) {
        Some(annotations) => Evaluation { decisions, annotations },
        None => failed(OUT_OF_BUDGET.to_owned()),
    }
}

/// The messages that expressions make; `None` if they exceed the budget.
fn messages(policy: &Policy, inputs: &Inputs, budget: u64) -> Option<Vec<Option<String>>> {
    let mut activation = Activation::new(&policy.variables, inputs, budget);
    let mut message = |validation: &Validation| match &validation.message_expression {
        None => Some(None),
        Some(expression) => match activation.evaluate(expression).ok()? {
            Ok(Value::Text(text)) => Some(Some(text.to_string())),
            _ => Some(None),
        },
    };
    policy.validations.iter().map(&mut message).collect()
}

/// The message of a validation that fails: that of its expression, its own, or the expression itself.
fn message(validation: &Validation, made: Option<&str>) -> String {
    let usable = |text: &&str| !text.is_empty() && text.len() <= MESSAGE_MAX && !text.contains('\n');
    if let Some(made) = made.map(str::trim).filter(usable) {
        return made.to_owned();
    }
    match validation.message.trim() {
        "" => format!("failed expression: {}", validation.condition.expression.trim()),
        message => message.to_owned(),
    }
}

/// The audit annotations of a policy; `None` if they exceed the budget.
fn annotations(policy: &Policy, inputs: &Inputs) -> Option<Vec<Annotated>> {
    let mut activation = Activation::new(&policy.variables, inputs, BUDGET);
    let annotated = |Annotation { key, value }: &Annotation| {
        Some(match activation.evaluate(value).ok()? {
            Ok(Value::Text(text)) if text.trim().is_empty() => Annotated::Excluded,
            Ok(Value::Text(text)) => {
                Annotated::Published { key: key.clone(), value: cut(text.trim(), ANNOTATION_MAX).to_owned() }
            }
            Ok(Value::Null) => Annotated::Excluded,
            Ok(other) => Annotated::Failed(format!(
                "valueExpression '{}' resulted in unsupported return type: {}. Return type must be either string or \
                 null.",
                value.expression,
                other.type_name()
            )),
            Err(_) if policy.ignores_failure => Annotated::Excluded,
            Err(why) => Annotated::Failed(why),
        })
    };
    policy.annotations.iter().map(annotated).collect()
}

/// The beginning of a text, at most this many bytes.
fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// The error of a refused request.
fn refused(subject: &Subject<'_>, name: &str, refusal: &Refusal<'_>) -> ApiError {
    let by = match refusal.binding {
        Some(binding) => format!("'{}' with binding '{binding}'", refusal.policy),
        None => format!("'{}'", refusal.policy),
    };
    let message = format!("ValidatingAdmissionPolicy {by} denied request: {}", refusal.message);
    let (code, reason) = match refusal.reason.as_str() {
        "Forbidden" => (403, StatusReason::Forbidden),
        "Unauthorized" => (401, StatusReason::Unauthorized),
        "RequestEntityTooLarge" => (413, StatusReason::RequestEntityTooLarge),
        _ => (422, StatusReason::Invalid),
    };
    let forbidden = ApiError::forbidden(&subject.served.group_resource(), name, &message).into_status();
    let details = forbidden.details.map(|mut details| {
        details.causes = vec![ErrorCause { message: message.into(), ..ErrorCause::default() }].into();
        details
    });
    ApiError::new(ErrorStatus { code, reason, details, ..forbidden })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(spec: Json) -> Policy {
        let policy = json!({"metadata": {"name": "p"}, "spec": spec});
        let binding = json!({"metadata": {"name": "b"}, "spec": {"validationActions": ["Audit", "Warn"]}});
        let binding = Binding::read(&Unstructured::try_from(binding).unwrap());
        Policy::read(&Unstructured::try_from(policy).unwrap(), vec![binding])
    }

    fn evaluated(spec: Json) -> Evaluation {
        let object = json!({"metadata": {"name": "a"}, "data": {"x": "1"}});
        let inputs = Inputs::new(Some(&object), None, &json!({"operation": "CREATE"}), Value::Null);
        evaluate(&policy(spec), &inputs, &Value::Null)
    }

    fn refused(message: &str, reason: &str) -> Decision {
        Decision::Refused { message: message.to_owned(), reason: reason.to_owned() }
    }

    #[test]
    fn annotations_are_published_left_out_or_wrong() {
        let spec = json!({"auditAnnotations": [
            {"key": "text", "valueExpression": "' x is ' + object.data.x + ' '"},
            {"key": "empty", "valueExpression": "' '"},
            {"key": "null", "valueExpression": "null"},
            {"key": "wrong", "valueExpression": "'' + object.data.y"},
        ]});
        let published = Annotated::Published { key: "text".to_owned(), value: "x is 1".to_owned() };
        let wrong = "expression ''' + object.data.y' resulted in error: no such key: y";
        let annotations = evaluated(spec.clone()).annotations;
        assert_eq!(
            annotations,
            [published, Annotated::Excluded, Annotated::Excluded, Annotated::Failed(wrong.to_owned())]
        );
        let mut lenient = spec;
        lenient.set(&["failurePolicy"], "Ignore").unwrap();
        assert_eq!(evaluated(lenient).annotations[3], Annotated::Excluded);
    }

    #[test]
    fn failures_are_audited_and_warned_of() {
        let policy = policy(json!({"validations": [
            {"expression": "object.data.x == '1'"}, {"expression": "object.data.x == '2'", "message": "not two"},
        ]}));
        let evaluation = Evaluation {
            decisions: vec![Decision::Admitted, refused("not two", "Invalid")],
            annotations: vec![
                Annotated::Published { key: "k".to_owned(), value: "v".to_owned() },
                Annotated::Published { key: "k".to_owned(), value: "v".to_owned() },
                Annotated::Published { key: "k".to_owned(), value: "w".to_owned() },
            ],
        };
        let (mut verdict, mut annotations) = (Verdict::default(), VecMap::new());
        let warnings = verdict.take(&policy, &policy.bindings[0], evaluation, &mut annotations);
        let warning = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': not two";
        assert_eq!(warnings, [warning]);
        assert!(verdict.refusal.is_none());
        assert_eq!(
            verdict.failures,
            [json!({
                "message": "not two", "policy": "p", "binding": "b", "expressionIndex": 1,
                "validationActions": ["Audit", "Warn"],
            })]
        );
        assert_eq!(annotations["k"], ["v", "w"]);
    }

    #[test]
    fn errors_refuse_unless_they_are_ignored() {
        let spec = |failure: &str, condition: &str| {
            json!({
                "failurePolicy": failure, "matchConditions": [{"name": "c", "expression": condition}],
                "validations": [{"expression": "object.data.y == '1'"}],
            })
        };
        let wrong = "expression 'object.data.y == '1'' resulted in error: no such key: y";
        assert_eq!(evaluated(spec("Fail", "true")).decisions, [refused(wrong, "")]);
        assert_eq!(evaluated(spec("Ignore", "true")).decisions, [Decision::Admitted]);
        assert_eq!(evaluated(spec("Fail", "false")).decisions, []);
        assert_eq!(evaluated(spec("Fail", "object.data.y == '1'")).decisions, [refused(wrong, "")]);
        assert_eq!(evaluated(spec("Ignore", "object.data.y == '1'")).decisions, []);
    }
}
