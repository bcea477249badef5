//! Rules of `x-kubernetes-validations`: read when a definition is compiled, evaluated when an object is written.
//!
//! What the evaluator has no function for is not checked, and said so in the log: an object is never refused by a rule that
//! was not understood.

use std::sync::Arc;

use client_rs_cel::{EvalError, Program, Value};
use client_rs_machinery::{FieldError, Json, Str};

use super::go;
use super::schema::{Additional, ListType, Schema};

/// One rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    text: Str,
    program: Result<Arc<Program>, String>,
    message: Str,
    message_expression: Option<Arc<Program>>,
    reason: Str,
    field_path: Str,
    optional_old_self: bool,
    uses_old_self: bool,
}

impl Rule {
    /// Reads a rule as a definition holds it.
    pub(crate) fn compile(rule: &Json) -> Self {
        let text = |key: &str| rule[key].as_shared_str().cloned().unwrap_or_default();
        let program = Program::compile(rule["rule"].as_str().unwrap_or_default());
        let program = program.map(Arc::new).map_err(|error| error.to_string());
        let uses_old_self = program.as_ref().is_ok_and(|program| program.uses("oldSelf"));
        let message_expression =
            rule["messageExpression"].as_str().and_then(|text| Program::compile(text).ok());
        Self {
            text: text("rule"),
            program,
            message: text("message"),
            message_expression: message_expression.map(Arc::new),
            reason: text("reason"),
            field_path: text("fieldPath"),
            optional_old_self: rule["optionalOldSelf"].as_bool() == Some(true),
            uses_old_self,
        }
    }

    /// How errors name it.
    fn name(&self) -> &str {
        if self.message.is_empty() { self.text.trim() } else { self.message.trim() }
    }
}

/// What rules say of an object, or of its change from an old one.
pub(crate) fn check(object: &Json, old: Option<&Json>, schema: &Schema) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let node = Node { value: object, old, parent_unchanged: false, root: true };
    walk(&node, schema, "", &mut errors);
    errors
}

/// A value and what it was before, as far as the two belong together.
struct Node<'a> {
    value: &'a Json,
    old: Option<&'a Json>,
    /// What it is part of was the same before.
    parent_unchanged: bool,
    /// It is an object of its own, with a kind and metadata.
    root: bool,
}

impl Node<'_> {
    /// What was wrong before may stay so.
    fn unchanged(&self) -> bool {
        self.old.map_or(self.parent_unchanged, |old| old == self.value)
    }
}

fn walk(node: &Node<'_>, schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    if node.value.is_null() || !super::has_expressions(schema) {
        return;
    }
    rules(node, schema, path, errors);
    let parent_unchanged = node.unchanged();
    let below = |value, old, schema: &Schema, path: &str, errors: &mut Vec<FieldError>| {
        let node = Node { value, old, parent_unchanged, root: schema.embedded };
        walk(&node, schema, path, errors);
    };
    match node.value {
        Json::List(list) => {
            let Some(items) = &schema.items else { return };
            for (index, item) in list.iter().enumerate() {
                let old = node.old.and_then(|old| same_item(old, item, schema));
                below(item, old, items, &format!("{path}[{index}]"), errors);
            }
        }
        Json::Map(map) => {
            for (key, value) in map {
                let old = node.old.and_then(|old| old.get(key.as_str()));
                if let Some(property) = schema.properties.get(key) {
                    let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                    below(value, old, property, &path, errors);
                } else if let Some(Additional::Of(values)) = &schema.additional {
                    below(value, old, values, &format!("{path}[{key}]"), errors);
                }
            }
        }
        _ => {}
    }
}

/// The item of an old list that an item was: known by its keys, or not at all.
fn same_item<'o>(old: &'o Json, item: &Json, schema: &Schema) -> Option<&'o Json> {
    if schema.list_type != ListType::Map {
        return None;
    }
    old.as_list()?
        .iter()
        .find(|old| schema.list_keys.iter().all(|key| old[key.as_str()] == item[key.as_str()]))
}

fn rules(node: &Node<'_>, schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    if schema.expressions.is_empty() {
        return;
    }
    let field = if path.is_empty() { "<nil>" } else { path };
    let own = value_of(node.value, schema, node.root);
    let old = node.old.filter(|old| !old.is_null()).map(|old| value_of(old, schema, node.root));
    for rule in &schema.expressions {
        if rule.uses_old_self && old.is_none() && !rule.optional_old_self {
            continue;
        }
        let program = match &rule.program {
            Ok(program) => program,
            Err(error) => {
                errors.push(FieldError::invalid(field, &schema.kind, format!("rule compile error: {error}")));
                continue;
            }
        };
        let mut variables = vec![("self", own.clone())];
        if rule.optional_old_self {
            variables.push(("oldSelf", Value::Optional(old.clone().map(Box::new))));
        } else if let Some(old) = &old {
            variables.push(("oldSelf", old.clone()));
        }
        match program.evaluate(&variables) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => {
                if rule.uses_old_self || !node.unchanged() {
                    errors.push(broken(rule, node.value, schema, path, &variables));
                }
            }
            Err(EvalError::Unsupported(function)) => {
                tracing::warn!(rule = %rule.text, %function, "a validation rule is not checked: no such function here");
            }
            Err(EvalError::Failed(why)) => {
                let detail = match why.strip_prefix("no such overload") {
                    Some(_) => format!(
                        "'{why}': call arguments did not match a supported operator, function or macro signature for \
                         rule: {}",
                        rule.name()
                    ),
                    None if why.starts_with("operation cancelled: actual cost limit exceeded") => {
                        let name = rule.name();
                        let why = format!(
                            "'{why}': no further validation rules will be run due to call cost exceeds limit for rule: {name}"
                        );
                        errors.push(FieldError::invalid(field, &schema.kind, why));
                        return;
                    }
                    None => format!("{why} evaluating rule: {}", rule.name()),
                };
                errors.push(FieldError::invalid(field, &schema.kind, detail));
            }
        }
    }
}

fn broken(rule: &Rule, value: &Json, schema: &Schema, path: &str, variables: &[(&str, Value)]) -> FieldError {
    let said = rule.message_expression.as_ref().and_then(|program| match program.evaluate(variables) {
        Ok(Value::Text(text)) => Some(text.trim().to_owned()),
        _ => None,
    });
    let said = said.filter(|text| !text.is_empty() && text.len() <= 5 * 1024 && !text.contains('\n'));
    let detail = said.unwrap_or_else(|| {
        if rule.message.is_empty() {
            return format!("failed rule: {}", rule.text.trim());
        }
        rule.message.trim().to_owned()
    });
    let below = rule.field_path.trim_start_matches('.').replace("['", ".").replace("']", "");
    let field = match (path, below.is_empty()) {
        ("", true) => "<nil>".to_owned(),
        (path, true) => path.to_owned(),
        ("", false) => below,
        (path, false) => format!("{path}.{below}"),
    };
    let plain = !matches!(schema.kind.as_str(), "object" | "array");
    match rule.reason.as_str() {
        "FieldValueForbidden" => FieldError::forbidden(field, detail),
        "FieldValueRequired" => FieldError::required(field, detail),
        "FieldValueDuplicate" => {
            FieldError::duplicate_json(field, if plain { go::shown(value) } else { String::new() })
        }
        _ if plain => FieldError::invalid_json(field, go::shown(value), detail),
        _ => FieldError::invalid_omitted(field, detail),
    }
}

/// A value that no schema describes.
pub(crate) fn plain_value(value: &Json) -> Value {
    value_of(value, &Schema::default(), false)
}

/// A value as rules see it: typed by its schema, and of metadata no more than the name.
fn value_of(value: &Json, schema: &Schema, root: bool) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        #[allow(clippy::cast_precision_loss)]
        Json::Int(value) if schema.kind == "number" => Value::Double(*value as f64),
        Json::Int(value) => Value::Int(*value),
        Json::Float(value) => Value::Double(*value),
        Json::Str(text) => match schema.rules.format_name.as_str() {
            "date-time" => Value::timestamp(text).unwrap_or_else(|| Value::text(text.as_str())),
            "date" => {
                Value::timestamp(&format!("{text}T00:00:00Z")).unwrap_or_else(|| Value::text(text.as_str()))
            }
            "duration" => Value::duration(text).unwrap_or_else(|| Value::text(text.as_str())),
            _ => Value::text(text.as_str()),
        },
        Json::List(list) => {
            let any = Schema::default();
            let items = schema.items.as_deref().unwrap_or(&any);
            Value::list(list.iter().map(|item| value_of(item, items, items.embedded)))
        }
        Json::Map(map) => {
            let any = Schema::default();
            Value::object(map.iter().map(|(key, value)| {
                if root && key == "metadata" {
                    let names = value.as_map().into_iter().flatten();
                    let names = names.filter(|(key, _)| *key == "name" || *key == "generateName");
                    return (
                        key.as_str(),
                        Value::object(names.map(|(key, value)| (key.as_str(), value_of(value, &any, false)))),
                    );
                }
                let below = schema.below(key).unwrap_or(&any);
                (key.as_str(), value_of(value, below, below.embedded))
            }))
        }
    }
}
