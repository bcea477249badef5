//! Expressions and regular expressions.

use std::sync::Arc;

use client_rs_cel::{CALL_COST_LIMIT, Checker, Limits, Program, Type, Value, go, parse};
use client_rs_schema::cel_value;

use super::{json, sections, text};

/// An expression is read, checked and evaluated, or refused, and costs no more than the limit; what checks as a boolean
/// evaluates to one, if to anything.
pub fn cel(data: &[u8]) {
    let [expression, object] = sections(data);
    let expression = text(expression);
    let object = json(object).map_or(Value::Null, |object| cel_value(&object));
    let _ = parse(&expression);
    let variables = || [("self", Type::Dyn), ("oldSelf", Type::Dyn)];
    let checked = Checker::new(variables()).with_limits(Arc::new(Limits::default())).cost(&expression);
    match &checked {
        Ok(checked) => drop(checked.of.to_string()),
        Err(error) => drop(error.to_string()),
    }
    let Ok(program) = Program::compile(&expression) else {
        assert!(checked.is_err(), "{checked:?}, though it can't be compiled: {expression:?}");
        return;
    };
    let _ = program.constants();
    let _ = program.uses("oldSelf");
    let evaluated = program.run(&[("self", object.clone()), ("oldSelf", object)]);
    assert!(evaluated.cost <= CALL_COST_LIMIT.saturating_mul(2), "{} of {CALL_COST_LIMIT}", evaluated.cost);
    match evaluated.outcome {
        Ok(value) => {
            if let Ok(checked) = checked
                && checked.of == Type::Bool
            {
                assert!(matches!(value, Value::Bool(_)), "{value:?}, not a boolean: {expression:?}");
            }
        }
        Err(error) => drop(error.to_string()),
    }
}

/// A regular expression of Go is translated or refused, and matches in bounded time; so are URLs and formats.
pub fn pattern(data: &[u8]) {
    let [pattern, subject] = sections(data).map(text);
    match go::pattern(&pattern) {
        Ok(regex) => drop(regex.is_match(&subject)),
        Err(error) => assert!(!error.is_empty()),
    }
    if let Ok(url) = go::request_uri(&pattern) {
        let _ = format!("{url:?}");
    }
    let _ =
        (go::is_uuid(&subject), go::is_base64(&subject), go::is_date(&subject), go::is_date_time(&subject));
}
