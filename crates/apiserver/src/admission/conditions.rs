//! Match conditions of webhooks, in CEL.

use client_rs_cel::{Program, Value};
use client_rs_machinery::Json;

use client_rs_schema::cel_value;

/// A match condition. Requests that do not match are not sent to the webhook.
#[derive(Debug)]
pub(super) struct Condition {
    expression: String,
    program: Result<Program, String>,
}

/// The variables of an expression.
pub(super) struct Seen<'a> {
    pub(super) object: Option<&'a Json>,
    pub(super) old: Option<&'a Json>,
    /// The review's request, without the objects.
    pub(super) request: &'a Json,
}

impl Condition {
    pub(super) fn read(condition: &Json) -> Self {
        let expression = condition["expression"].as_str().unwrap_or_default().to_owned();
        let program = Program::compile(&expression).map_err(|error| error.to_string());
        Self { expression, program }
    }

    fn met(&self, variables: &[(&str, Value)]) -> Result<bool, String> {
        let failed = |why: &str| format!("expression '{}' resulted in error: {why}", self.expression);
        let program = self.program.as_ref().map_err(|why| failed(why))?;
        match program.evaluate(variables) {
            Ok(Value::Bool(met)) => Ok(met),
            Ok(other) => {
                Err(failed(&format!("a match condition must be of type bool, not {}", other.type_name())))
            }
            Err(error) => Err(failed(&error.to_string())),
        }
    }
}

/// Whether all conditions match. If one does not match, errors of the others are ignored.
pub(super) fn met(conditions: &[Condition], seen: &Seen<'_>) -> Result<bool, String> {
    if conditions.is_empty() {
        return Ok(true);
    }
    let value = |json: Option<&Json>| json.map_or(Value::Null, cel_value);
    let variables = [
        ("object", value(seen.object)),
        ("oldObject", value(seen.old)),
        ("request", cel_value(seen.request)),
    ];
    let mut wrong = Vec::new();
    for condition in conditions {
        match condition.met(&variables) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => wrong.push(why),
        }
    }
    match wrong.as_slice() {
        [] => Ok(true),
        [one] => Err(one.clone()),
        _ => Err(format!("[{}]", wrong.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn a_condition_that_is_false_overrides_errors() {
        let object = json!({"metadata": {"name": "a"}});
        let request = json!({"operation": "CREATE", "userInfo": {"username": "jane"}});
        let seen = Seen { object: Some(&object), old: None, request: &request };
        let of = |texts: &[&str]| {
            let all: Vec<Condition> = texts
                .iter()
                .map(|text| Condition::read(&json!({"name": "x", "expression": *text})))
                .collect();
            met(&all, &seen)
        };
        assert_eq!(of(&[]), Ok(true));
        assert_eq!(of(&["object.metadata.name == 'a'", "request.userInfo.username == 'jane'"]), Ok(true));
        assert_eq!(of(&["oldObject == null", "request.operation == 'DELETE'"]), Ok(false));
        assert_eq!(of(&["object.data.x == 'a'", "false"]), Ok(false));
        let wrong = "expression 'object.data.x == 'a'' resulted in error: no such key: data";
        assert_eq!(of(&["object.data.x == 'a'", "true"]), Err(wrong.to_owned()));
    }
}
