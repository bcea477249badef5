//! The rules of `x-kubernetes-validations`: compiled with a definition, evaluated for each write, within a cost
//! budget.
//!
//! A rule that uses a function which the evaluator does not have is skipped and logged: it never refuses an object.
//! No definition that passes the checks has such a rule.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_cel::{EvalError, Evaluated, Program, Value};
use client_rs_machinery::{FieldError, Json, Str, go_quoted};

use super::go;
use super::schema::{Additional, ListType, Schema};

/// A rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    text: Str,
    program: Result<Arc<Program>, String>,
    message: Str,
    message_expression: Option<Message>,
    reason: Str,
    field_path: Str,
    optional_old_self: bool,
    uses_old_self: bool,
}

/// The `messageExpression` of a rule.
#[derive(Clone, Debug)]
struct Message {
    text: Str,
    program: Arc<Program>,
}

/// The start of the evaluator's error for an expression that exceeds its cost limit.
const CANCELLED: &str = "operation cancelled: actual cost limit exceeded";

impl Rule {
    /// Compiles a rule of a definition.
    pub(crate) fn compile(rule: &Json) -> Self {
        let text = |key: &str| rule[key].as_shared_str().cloned().unwrap_or_default();
        let program = Program::compile(rule["rule"].as_str().unwrap_or_default());
        let program = program.map(Arc::new).map_err(|error| error.to_string());
        let uses_old_self = program.as_ref().is_ok_and(|program| program.uses("oldSelf"));
        let message_expression = Program::compile(&text("messageExpression")).ok();
        let message_expression = message_expression
            .map(|program| Message { text: text("messageExpression"), program: Arc::new(program) });
        Self {
            text: text("rule"),
            program,
            message: text("message"),
            message_expression,
            reason: text("reason"),
            field_path: text("fieldPath"),
            optional_old_self: rule["optionalOldSelf"].as_bool() == Some(true),
            uses_old_self,
        }
    }

    /// The name of the rule in errors.
    fn name(&self) -> &str {
        if self.message.is_empty() { self.text.trim() } else { self.message.trim() }
    }
}

/// The cost budget of all rules of an object.
const COST_BUDGET: u64 = 10_000_000;
const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// Evaluates the rules for a new object, or for the change of an old one.
pub(crate) fn check(object: &Json, old: Option<&Json>, schema: &Schema) -> Vec<FieldError> {
    let node = Node { value: object, old, parent_unchanged: false, root: true };
    let mut judge = Judge { budget: Some(COST_BUDGET), errors: Vec::new() };
    judge.walk(&node, schema, "");
    judge.errors
}

/// The errors so far, and the remaining budget.
struct Judge {
    /// `None` when no more rules are evaluated.
    budget: Option<u64>,
    errors: Vec<FieldError>,
}

/// A value, and the corresponding old value if there is one.
struct Node<'a> {
    value: &'a Json,
    old: Option<&'a Json>,
    /// Whether the parent value is unchanged.
    parent_unchanged: bool,
    /// Whether it is an object with a kind and metadata.
    root: bool,
}

impl Node<'_> {
    /// Whether the value is unchanged. Errors in unchanged values are ignored.
    fn unchanged(&self) -> bool {
        self.old.map_or(self.parent_unchanged, |old| old == self.value)
    }
}

impl Judge {
    fn walk(&mut self, node: &Node<'_>, schema: &Schema, path: &str) {
        if node.value.is_null() || !super::object::has_expressions(schema) {
            return;
        }
        self.rules(node, schema, path);
        if self.budget.is_none() {
            return;
        }
        let parent_unchanged = node.unchanged();
        let below =
            |value, old, schema: &Schema| Node { value, old, parent_unchanged, root: schema.embedded };
        match node.value {
            Json::List(list) => {
                let Some(items) = &schema.items else { return };
                for (index, item) in list.iter().enumerate() {
                    let old = node.old.and_then(|old| same_item(old, item, schema));
                    self.walk(&below(item, old, items), items, &format!("{path}[{index}]"));
                    if self.budget.is_none() {
                        return;
                    }
                }
            }
            Json::Map(map) => {
                for (key, value) in map {
                    let old = node.old.and_then(|old| old.get(key.as_str()));
                    if let Some(property) = schema.properties.get(key) {
                        let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                        self.walk(&below(value, old, property), property, &path);
                    } else if let Some(Additional::Of(values)) = &schema.additional {
                        self.walk(&below(value, old, values), values, &format!("{path}[{key}]"));
                    }
                    if self.budget.is_none() {
                        return;
                    }
                }
            }
            _ => {}
        }
    }

    /// Subtracts the cost of an evaluation from the budget. Returns false if the budget was too small.
    fn pay(&mut self, cost: u64) -> bool {
        self.budget = self.budget.and_then(|budget| budget.checked_sub(cost));
        self.budget.is_some()
    }

    fn rules(&mut self, node: &Node<'_>, schema: &Schema, path: &str) {
        if schema.expressions.is_empty() {
            return;
        }
        let field = if path.is_empty() { "<nil>" } else { path };
        if self.budget == Some(0) {
            self.errors.push(FieldError::invalid(field, &schema.kind, OUT_OF_BUDGET));
            self.budget = None;
            return;
        }
        let own = value_of(node.value, schema, node.root);
        let old = node.old.filter(|old| !old.is_null()).map(|old| value_of(old, schema, node.root));
        for rule in &schema.expressions {
            if rule.uses_old_self && old.is_none() && !rule.optional_old_self {
                continue;
            }
            let program = match &rule.program {
                Ok(program) => program,
                Err(error) => {
                    let why = format!("rule compile error: {error}");
                    self.errors.push(FieldError::invalid(field, &schema.kind, why));
                    continue;
                }
            };
            let mut variables = vec![("self", own.clone())];
            if rule.optional_old_self {
                variables.push(("oldSelf", Value::Optional(old.clone().map(Box::new))));
            } else if let Some(old) = &old {
                variables.push(("oldSelf", old.clone()));
            }
            let Evaluated { outcome, cost } = program.run(&variables);
            if !self.pay(cost) {
                self.errors.push(FieldError::invalid(field, &schema.kind, OUT_OF_BUDGET));
                return;
            }
            match outcome {
                Ok(Value::Bool(true)) => {}
                Ok(_) => {
                    let error = self.broken(rule, node.value, schema, path, &variables);
                    if rule.uses_old_self || !node.unchanged() {
                        self.errors.push(error);
                    }
                    if self.budget.is_none() {
                        return;
                    }
                }
                Err(EvalError::Unsupported(function)) => {
                    tracing::warn!(rule = %rule.text, %function, "validation rule skipped: it uses an unsupported function");
                }
                Err(why) => {
                    let why = why.to_string();
                    let name = rule.name();
                    let why = if why.starts_with("no such overload") {
                        format!(
                            "'{why}': call arguments did not match a supported operator, function or macro signature for \
                             rule: {name}"
                        )
                    } else if why.starts_with(CANCELLED) {
                        self.budget = None;
                        format!(
                            "'{why}': no further validation rules will be run due to call cost exceeds limit for rule: {name}"
                        )
                    } else {
                        format!("{why} evaluating rule: {name}")
                    };
                    self.errors.push(FieldError::invalid(field, &schema.kind, why));
                    if self.budget.is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// The error of a rule that does not hold. It uses the rule's message expression if the budget allows.
    fn broken(
        &mut self,
        rule: &Rule,
        value: &Json,
        schema: &Schema,
        path: &str,
        variables: &[(&str, Value)],
    ) -> FieldError {
        let below = rule.field_path.trim_start_matches('.').replace("['", ".").replace("']", "");
        let field = match (path, below.is_empty()) {
            ("", true) => "<nil>".to_owned(),
            (path, true) => path.to_owned(),
            ("", false) => below,
            (path, false) => format!("{path}.{below}"),
        };
        let mut said = None;
        if let Some(message) = &rule.message_expression {
            let Evaluated { outcome, cost } = message.program.run(variables);
            if !self.pay(cost) {
                let why = "messageExpression evaluation failed due to running out of cost budget, no further validation \
                           rules will be run";
                return FieldError::invalid(field, &schema.kind, why);
            }
            match outcome {
                Ok(Value::Text(text)) => said = Some(text.trim().to_owned()),
                Err(EvalError::Failed(why)) if why.starts_with(CANCELLED) => {
                    self.budget = None;
                    let shown = go_quoted(&message.text);
                    let why = format!(
                        "no further validation rules will be run due to call cost exceeds limit for messageExpression: {shown}"
                    );
                    return FieldError::invalid(field, &schema.kind, why);
                }
                _ => {}
            }
        }
        let said = said.filter(|text| !text.is_empty() && text.len() <= 5 * 1024 && !text.contains('\n'));
        let detail = said.unwrap_or_else(|| {
            if rule.message.is_empty() {
                return format!("failed rule: {}", rule.text.trim());
            }
            rule.message.trim().to_owned()
        });
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
}

/// The item of an old list that corresponds to an item: the one with the same keys.
fn same_item<'o>(old: &'o Json, item: &Json, schema: &Schema) -> Option<&'o Json> {
    if schema.list_type != ListType::Map {
        return None;
    }
    old.as_list()?
        .iter()
        .find(|old| schema.list_keys.iter().all(|key| old[key.as_str()] == item[key.as_str()]))
}

/// Converts JSON without a schema to a CEL value, for example as a variable of an expression.
///
/// ```
/// use client_rs_machinery::json;
///
/// assert_eq!(client_rs_schema::cel_value(&json!({"a": [1, 2]})).type_name(), "map");
/// ```
pub fn plain_value(value: &Json) -> Value {
    value_of(value, &Schema::default(), false)
}

/// Converts JSON to a CEL value, typed by its schema. Rules see only the name and generated name of metadata.
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
            "byte" => match STANDARD.decode(text.as_str()) {
                Ok(bytes) => Value::Bytes(bytes.into()),
                Err(_) => Value::text(text.as_str()),
            },
            _ => Value::text(text.as_str()),
        },
        Json::List(list) => {
            let any = Schema::default();
            let items = schema.items.as_deref().unwrap_or(&any);
            let values = list.iter().map(|item| value_of(item, items, items.embedded));
            match schema.list_type {
                ListType::Atomic => Value::list(values),
                ListType::Set => Value::set(values),
                ListType::Map => Value::keyed(schema.list_keys.iter().map(Str::as_str), values),
            }
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
