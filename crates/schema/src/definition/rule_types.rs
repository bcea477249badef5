//! Type-checks the rules of `x-kubernetes-validations` against their schema, and estimates their cost from the size
//! limits of the schema.

use std::sync::Arc;

use client_rs_cel::{Checked, Checker, Program, Type};
use client_rs_machinery::{FieldError, Json};

use super::super::go;
use super::rule_limits::{Declared, MAX_REQUEST, embedded};
use super::{entries, list};

/// The cost limit of a rule.
const RULE_COST_LIMIT: u64 = 10_000_000;
/// The cost limit of all rules of a schema.
const SCHEMA_COST_LIMIT: u64 = 100_000_000;
/// The number of expensive rules that the error lists.
const MOST_NAMED: usize = 4;

/// Validates the rules of a structural schema. An unchanged schema may exceed the cost limits.
pub(super) fn check(schema: &Json, path: &str, unchanged: bool, errors: &mut Vec<FieldError>) {
    let mut rules = Rules { unchanged, total: 0, dearest: Vec::new(), errors };
    let place = Place { path: path.to_owned(), is_root: true, most: Some(1), uncorrelated: None };
    rules.walk(schema, &place);
    let (total, dearest) = (rules.total, rules.dearest);
    if total > SCHEMA_COST_LIMIT {
        for (_, path) in dearest {
            let why =
                "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            errors.push(FieldError::forbidden(path, why));
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        errors.push(FieldError::forbidden(path, too_dear(what, total, SCHEMA_COST_LIMIT)));
    }
}

/// The position of rules in a schema.
struct Place {
    path: String,
    is_root: bool,
    /// The largest number of values at this position; `None` if it is unbounded.
    most: Option<u64>,
    /// The list above it whose items can't be matched with old items.
    uncorrelated: Option<String>,
}

struct Rules<'e> {
    unchanged: bool,
    total: u64,
    /// The most expensive rules, with their paths, in descending order.
    dearest: Vec<(u64, String)>,
    errors: &'e mut Vec<FieldError>,
}

impl Rules<'_> {
    fn walk(&mut self, schema: &Json, place: &Place) {
        let most = place.most.zip(repeated(schema)).map(|(most, times)| most.saturating_mul(times));
        let path = &place.path;
        let below =
            |path: String| Place { path, is_root: false, most, uncorrelated: place.uncorrelated.clone() };
        if schema["additionalProperties"].as_map().is_some() {
            let place = below(format!("{path}.additionalProperties"));
            self.walk(&schema["additionalProperties"], &place);
        }
        for (name, property) in entries(&schema["properties"]) {
            self.walk(property, &below(format!("{path}.properties[{name}]")));
        }
        if schema["items"].as_map().is_some() {
            let mut place = below(format!("{path}.items"));
            if schema["x-kubernetes-list-type"].as_str() != Some("map") {
                place.uncorrelated.get_or_insert_with(|| path.clone());
            }
            self.walk(&schema["items"], &place);
        }
        self.own(schema, place);
    }

    fn own(&mut self, schema: &Json, place: &Place) {
        if list(&schema["x-kubernetes-validations"]).next().is_none() {
            return;
        }
        let Some(own) = Declared::of(schema, "selfType", place.is_root || embedded(schema)) else { return };
        let most = place.most.unwrap_or(MAX_REQUEST / (own.least + 1));
        let limits = Arc::new(own.limits);
        for (index, rule) in list(&schema["x-kubernetes-validations"]).enumerate() {
            let at = |key: &str| format!("{}.x-kubernetes-validations[{index}].{key}", place.path);
            let text = |key: &str| rule[key].as_str().unwrap_or_default();
            if text("rule").trim().is_empty() {
                continue;
            }
            let old = if rule["optionalOldSelf"].as_bool() == Some(true) {
                Type::optional(own.of.clone())
            } else {
                own.of.clone()
            };
            let expressions = Checker::new([("self", own.of.clone()), ("oldSelf", old)]);
            let expressions = expressions.with_limits(Arc::clone(&limits));
            let refused = |key: &str, why: String| FieldError::invalid_json(at(key), shown(rule), why);
            match judged(&expressions, text("rule"), &Type::Bool) {
                Ok(checked) => {
                    let cost = checked.cost.saturating_mul(most);
                    self.costs(cost, "estimated rule cost", at("rule"));
                }
                Err(why) => {
                    let why = why.unwrap_or_else(|| "cel expression must evaluate to a bool".to_owned());
                    self.errors.push(refused("rule", why));
                    continue;
                }
            }
            if !text("messageExpression").trim().is_empty() {
                match judged(&expressions, text("messageExpression"), &Type::Text) {
                    Ok(checked) => {
                        let place = at("messageExpression");
                        self.costs(checked.cost, "estimated messageExpression cost", place);
                    }
                    Err(why) => {
                        let why = why.map_or_else(
                            || "messageExpression must evaluate to a string".to_owned(),
                            |why| match why.strip_prefix("program ") {
                                Some(why) => format!("messageExpression {why}"),
                                None => format!("messageExpression {why}"),
                            },
                        );
                        self.errors.push(refused("messageExpression", why));
                    }
                }
            }
            self.correlated(rule, place, &at);
        }
    }

    /// Checks the use of `oldSelf` in a rule.
    fn correlated(&mut self, rule: &Json, place: &Place, at: &dyn Fn(&str) -> String) {
        let text = rule["rule"].as_str().unwrap_or_default();
        let uses = Program::compile(text).is_ok_and(|program| program.uses("oldSelf"));
        if uses && let Some(list) = &place.uncorrelated {
            let why =
                format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {list}");
            self.errors.push(FieldError::invalid(at("rule"), text, why));
        } else if !uses && let Some(optional) = rule["optionalOldSelf"].as_bool() {
            let why = "may not be set if oldSelf is not used in rule";
            let shown = optional.to_string();
            self.errors.push(FieldError::invalid_json(at("optionalOldSelf"), shown, why));
        }
    }

    /// Adds the cost of an expression.
    fn costs(&mut self, cost: u64, what: &str, path: String) {
        if cost > RULE_COST_LIMIT && !self.unchanged {
            self.errors.push(FieldError::forbidden(path.clone(), too_dear(what, cost, RULE_COST_LIMIT)));
        }
        self.total = self.total.saturating_add(cost);
        if cost >= SCHEMA_COST_LIMIT / 100 {
            self.dearest.push((cost, path));
            self.dearest.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
            self.dearest.truncate(MOST_NAMED);
        }
    }
}

/// Checks that an expression has the wanted type. The error is the reason, or `None` if it has another type.
fn judged(expressions: &Checker, text: &str, wanted: &Type) -> Result<Checked, Option<String>> {
    let checked = expressions.cost(text).map_err(|error| format!("compilation failed: {error}"))?;
    if checked.of != *wanted {
        return Err(None);
    }
    let program = Program::compile(text).map_err(|error| error.to_string())?;
    program.constants().map_err(|error| format!("program instantiation failed: {error}"))?;
    Ok(checked)
}

/// The largest number of values directly below a schema; `None` if it is unbounded.
fn repeated(schema: &Json) -> Option<u64> {
    let most = |key: &str| Some(u64::try_from(schema[key].as_i64()?).unwrap_or(0));
    match schema["type"].as_str() {
        Some("object") if !schema["additionalProperties"].is_null() => most("maxProperties"),
        Some("array") => most("maxItems"),
        _ => Some(1),
    }
}

fn too_dear(what: &str, cost: u64, limit: u64) -> String {
    #[allow(clippy::cast_precision_loss)]
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and \
         maxLength where arrays, maps, and strings are declared)"
    )
}

/// Prints a rule as the real server's errors do.
fn shown(rule: &Json) -> String {
    let text = |key: &str| go::json(&Json::from(rule[key].as_str().unwrap_or_default()));
    format!(
        "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{},\"FieldPath\":{},\"OptionalOldSelf\":{}}}",
        text("rule"),
        text("message"),
        text("messageExpression"),
        go::json(&rule["reason"]),
        text("fieldPath"),
        go::json(&rule["optionalOldSelf"]),
    )
}
