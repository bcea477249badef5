//! The schemas of generated types, derived from their decoders.
//!
//! A generated type describes its names and numbers, but not its scalar types: the drivers never need those. So the
//! schema is found by trial: the decoder gets a value of each kind for each field, and accepts or refuses it. No type
//! carries extra data for this. It takes a few milliseconds for a pod template, once per definition.

use super::ObjectSchema;
use crate::wire::{Descriptor, Flags};
use crate::{Json, json};

/// Returns the schema of a message; `accepts` decides whether its decoder accepts a JSON text.
///
/// Facts that a decoder does not reveal are not checked: required fields, and allowed values. Lists are atomic. A
/// message that contains itself (a schema) accepts any value at the second level.
pub fn of_message(descriptor: &'static Descriptor, accepts: &dyn Fn(&[u8]) -> bool) -> Json {
    let own = |name: &str| descriptor.fields.iter().any(|field| field.name == name);
    if descriptor.name == "Condition" && own("observedGeneration") && own("lastTransitionTime") {
        return condition();
    }
    let mut probe = Probe { accepts, before: String::new(), after: String::new(), inside: Vec::new() };
    probe.message(descriptor)
}

/// The place under test: the text before a value and after it.
struct Probe<'a> {
    accepts: &'a dyn Fn(&[u8]) -> bool,
    before: String,
    /// Reversed: what closes last comes first.
    after: String,
    inside: Vec<*const Descriptor>,
}

impl Probe<'_> {
    fn takes(&self, value: &str) -> bool {
        let after: String = self.after.chars().rev().collect();
        (self.accepts)(format!("{}{value}{after}", self.before).as_bytes())
    }

    fn within<T>(&mut self, before: &str, after: char, ask: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.before.len();
        self.before.push_str(before);
        self.after.push(after);
        let answer = ask(self);
        self.before.truncate(length);
        self.after.pop();
        answer
    }

    fn message(&mut self, descriptor: &'static Descriptor) -> Json {
        let identity = std::ptr::from_ref(descriptor);
        // A server has its own schema of metadata, and refuses another.
        if self.inside.contains(&identity) || descriptor.name == "ObjectMeta" {
            return json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        }
        self.inside.push(identity);
        let mut schema = ObjectSchema::new();
        for field in descriptor.fields {
            schema = match field.message() {
                Some(message) if field.flags.has(Flags::INLINE) => {
                    schema.flatten(&self.message(message), true)
                }
                message => {
                    let key = format!("{{{:?}:", field.name);
                    schema.property(field.name, self.within(&key, '}', |probe| probe.value(message)), false)
                }
            };
        }
        self.inside.pop();
        schema.build()
    }

    fn value(&mut self, message: Option<&'static Descriptor>) -> Json {
        let (list, object) = (self.takes("[]"), self.takes("{}"));
        if list && object {
            return json!({"x-kubernetes-preserve-unknown-fields": true});
        }
        if list && !self.takes("\"!\"") {
            let items = self.within("[", ']', |probe| probe.value(message));
            return json!({"type": "array", "items": items});
        }
        if object {
            return self.object(message);
        }
        self.scalar()
    }

    fn object(&mut self, message: Option<&'static Descriptor>) -> Json {
        match message {
            // A message skips unknown fields; a map of messages refuses a number.
            Some(message) if self.takes("{\"~\":1}") => return self.message(message),
            None if self.takes("{\"~\":1}") && self.takes("{\"~\":{}}") => {
                return json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
            }
            _ => {}
        }
        let values = self.within("{\"~\":", '}', |probe| probe.value(message));
        json!({"type": "object", "additionalProperties": values})
    }

    fn scalar(&self) -> Json {
        use super::Schema;
        use crate::{Blob, IntOrString, Quantity, Time};

        if self.takes("true") {
            return bool::schema();
        }
        if self.takes("1") {
            return match (self.takes("\"!\""), self.takes("\"1\"")) {
                (true, _) => IntOrString::schema(),
                (false, true) => Quantity::schema(),
                (false, false) if self.takes("1.5") => f64::schema(),
                (false, false) if self.takes("4294967296") => i64::schema(),
                (false, false) => i32::schema(),
            };
        }
        if self.takes("\"!\"") || self.takes("\"1s\"") {
            return str::schema();
        }
        if self.takes("\"2020-01-01T00:00:00Z\"") {
            return Time::schema();
        }
        if self.takes("\"AAAA\"") {
            return Blob::schema();
        }
        json!({"x-kubernetes-preserve-unknown-fields": true})
    }
}

/// The schema of conditions in every controller's definition: its rules are those of the Go type's markers.
fn condition() -> Json {
    json!({
        "type": "object",
        "required": ["lastTransitionTime", "message", "reason", "status", "type"],
        "properties": {
            "type": {
                "type": "string", "maxLength": 316,
                "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
            },
            "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
            "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0},
            "lastTransitionTime": {"type": "string", "format": "date-time"},
            "reason": {
                "type": "string", "minLength": 1, "maxLength": 1024,
                "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
            },
            "message": {"type": "string", "maxLength": 32768},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::v1::{Condition, LabelSelector, ListMeta, ManagedFieldsEntry, OwnerReference, Status};
    use crate::schema::Schema;

    #[test]
    fn built_in_types_have_the_schema_of_their_decoder() {
        let selector = LabelSelector::schema();
        let labels = json!({"type": "object", "additionalProperties": {"type": "string"}});
        assert_eq!(selector["properties"]["matchLabels"], labels);
        let expression = &selector["properties"]["matchExpressions"]["items"]["properties"];
        assert_eq!(expression["values"], json!({"type": "array", "items": {"type": "string"}}));
        assert_eq!(OwnerReference::schema()["properties"]["controller"], json!({"type": "boolean"}));
        assert_eq!(Condition::schema()["properties"]["status"]["enum"], json!(["True", "False", "Unknown"]));
        let number = json!({"type": "integer", "format": "int64"});
        assert_eq!(ListMeta::schema()["properties"]["remainingItemCount"], number);
        let code = json!({"type": "integer", "format": "int32"});
        assert_eq!(Status::schema()["properties"]["code"], code);
        let entry = ManagedFieldsEntry::schema();
        assert_eq!(entry["properties"]["time"], json!({"type": "string", "format": "date-time"}));
    }
}
