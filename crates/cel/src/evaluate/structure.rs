//! Objects that expressions of mutations create.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Evaluation, Outcome};
use crate::patch_types::{JSON_PATCH, is_patch_type};
use crate::value::Kind;
use crate::{EvalError, Expr, Struct, Value, functions};

impl Evaluation {
    /// Creates an object of a mutation: a part of the object, or an operation of a JSON patch.
    pub(super) fn structure(&mut self, name: &str, fields: &[(String, Expr, bool)]) -> Outcome {
        if !is_patch_type(name) {
            return Err(EvalError::Unsupported(name.to_owned()));
        }
        self.meter.entries(fields.len())?;
        let mut set = BTreeMap::new();
        for (field, value, optional) in fields {
            let value = match (self.value(value)?, optional) {
                (Value::Optional(None), true) => continue,
                (Value::Optional(Some(value)), true) => *value,
                (value, _) => value,
            };
            if name == JSON_PATCH && field != "value" && !matches!(value, Value::Text(_)) {
                let of = value.type_name();
                return Err(EvalError::failed(format!(
                    "unexpected type {of} for JSONPatchType '{field}' field"
                )));
            }
            set.insert(field.clone(), value);
        }
        self.meter.spend(functions::STRUCT)?;
        Ok(Kind::Struct(Arc::new(Struct { name: name.to_owned(), fields: set })).into())
    }
}
