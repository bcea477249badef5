//! The managers of an object: its `managedFields`, decoded.

use std::collections::BTreeMap;
use std::fmt;

use super::{FieldSet, FieldsError};
use crate::quote::Quoted;
use crate::{Json, Str, Time};

/// The way in which a manager wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// By server-side apply.
    Apply,
    /// By any other write.
    Update,
}

/// The identity of a manager: two writes with the same identity share one entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ManagerId {
    /// Its name.
    pub manager: Str,
    /// The way in which it wrote.
    pub operation: Operation,
    /// The version that it wrote; empty for a manager that applied, which has one entry for all versions.
    pub api_version: Str,
    /// The subresource that it wrote; empty for the object itself.
    pub subresource: Str,
}

/// The fields that a manager owns.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedFields {
    /// The fields.
    pub fields: FieldSet,
    /// The version that they are fields of.
    pub api_version: Str,
    /// The time of its last change.
    pub time: Option<Time>,
}

/// The managers of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Managers(pub BTreeMap<ManagerId, OwnedFields>);

impl Operation {
    fn as_str(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

impl ManagerId {
    /// Returns the identity of the writer of an object.
    pub fn new(manager: &str, operation: Operation, api_version: &str, subresource: &str) -> Self {
        Self {
            manager: if manager.is_empty() { Str::inline("unknown") } else { manager.into() },
            operation,
            api_version: if operation == Operation::Apply { Str::EMPTY } else { api_version.into() },
            subresource: subresource.into(),
        }
    }
}

/// The API server's name for a manager in a conflict.
impl fmt::Display for ManagerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Quoted(&self.manager))?;
        if !self.subresource.is_empty() {
            write!(f, " with subresource {}", Quoted(&self.subresource))?;
        }
        if self.operation == Operation::Update {
            write!(f, " using {}", self.api_version)?;
        }
        Ok(())
    }
}

impl Managers {
    /// Parses `managedFields`.
    pub fn from_json(entries: &Json) -> Result<Self, ManagersError> {
        let entries = match entries {
            Json::Null => return Ok(Self::default()),
            Json::List(entries) => entries,
            _ => return Err(FieldsError::Entries.into()),
        };
        let mut managers = Self::default();
        for (at, entry) in entries.iter().enumerate() {
            if entry.as_map().is_none() {
                return Err(FieldsError::Entries.into());
            }
            let text = |key: &str| entry[key].as_str().unwrap_or_default();
            let operation = match text("operation") {
                "Apply" => Operation::Apply,
                "Update" => Operation::Update,
                _ => return Err(ManagersError::Operation),
            };
            if text("apiVersion").is_empty() {
                return Err(ManagersError::NoVersion);
            }
            match text("fieldsType") {
                "FieldsV1" => {}
                "" => return Err(ManagersError::NoFieldsType(at)),
                other => return Err(ManagersError::FieldsType(other.to_owned(), at)),
            }
            let id = ManagerId {
                manager: text("manager").into(),
                operation,
                api_version: if operation == Operation::Apply {
                    Str::EMPTY
                } else {
                    text("apiVersion").into()
                },
                subresource: text("subresource").into(),
            };
            let owned = OwnedFields {
                fields: FieldSet::from_json(&entry["fieldsV1"])?,
                api_version: text("apiVersion").into(),
                time: text("time").parse().ok(),
            };
            managers.0.insert(id, owned);
        }
        Ok(managers)
    }

    /// Returns the managers as `managedFields`, in the API server's order; `None` if there are none.
    pub fn to_json(&self) -> Option<Json> {
        if self.0.is_empty() {
            return None;
        }
        let seconds = |owned: &OwnedFields| owned.time.as_ref().map_or(0, |time| time.seconds());
        let mut entries: Vec<(&ManagerId, &OwnedFields)> = self.0.iter().collect();
        entries.sort_by(|(left, left_owned), (right, right_owned)| {
            (left.operation, seconds(left_owned), &left.manager, &left_owned.api_version, &left.subresource)
                .cmp(&(
                    right.operation,
                    seconds(right_owned),
                    &right.manager,
                    &right_owned.api_version,
                    &right.subresource,
                ))
        });
        Some(entries.into_iter().map(|(id, owned)| entry(id, owned)).collect())
    }
}

fn entry(id: &ManagerId, owned: &OwnedFields) -> Json {
    let mut entry = crate::json!({
        "apiVersion": owned.api_version.as_str(),
        "fieldsType": "FieldsV1",
        "fieldsV1": owned.fields.to_json(),
        "operation": id.operation.as_str(),
    });
    let optional = [
        ("manager", Some(id.manager.to_string())),
        ("subresource", Some(id.subresource.to_string())),
        ("time", owned.time.as_ref().map(ToString::to_string)),
    ];
    for (key, value) in optional {
        if let (Some(value), Json::Map(map)) = (value.filter(|value| !value.is_empty()), &mut entry) {
            map.insert(key, value.into());
        }
    }
    entry
}

/// Malformed `managedFields`.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManagersError {
    /// The operation is neither `Apply` nor `Update`.
    #[error("operation must be `Apply` or `Update`")]
    Operation,
    /// An entry without its version.
    #[error("apiVersion must not be empty")]
    NoVersion,
    /// An entry without the format of its fields.
    #[error("missing fieldsType in managed fields entry {0}")]
    NoFieldsType(usize),
    /// An entry with fields of an unknown format.
    #[error("invalid fieldsType {0:?} in managed fields entry {1}")]
    FieldsType(String, usize),
    /// An entry with malformed fields.
    #[error(transparent)]
    Fields(#[from] FieldsError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn entry_of(manager: &str, operation: &str, time: &str) -> Json {
        json!({
            "manager": manager, "operation": operation, "apiVersion": "v1", "time": time,
            "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:a": {}}},
        })
    }

    #[test]
    fn entries_are_read_and_written_in_order() {
        let (early, late) = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z");
        let entries = json!([
            entry_of("b", "Update", early),
            entry_of("a", "Update", late),
            entry_of("z", "Apply", late),
            entry_of("a", "Update", early),
        ]);
        let managers = Managers::from_json(&entries).unwrap();
        // Two entries of the same manager are merged.
        assert_eq!(managers.0.len(), 3);
        let expected = json!([
            entry_of("z", "Apply", late),
            entry_of("a", "Update", early),
            entry_of("b", "Update", early)
        ]);
        assert_eq!(managers.to_json().unwrap(), expected);
        assert_eq!(Managers::from_json(&Json::Null).unwrap().to_json(), None);
    }

    #[test]
    fn an_invalid_entry_is_refused_with_the_servers_message() {
        let with = |key: &str, value: Json| {
            let mut entry = entry_of("a", "Update", "");
            entry.set(&[key], value).unwrap();
            Managers::from_json(&json!([entry])).unwrap_err().to_string()
        };
        assert_eq!(with("operation", json!("Delete")), "operation must be `Apply` or `Update`");
        assert_eq!(with("apiVersion", json!("")), "apiVersion must not be empty");
        assert_eq!(with("fieldsType", json!("")), "missing fieldsType in managed fields entry 0");
        assert_eq!(with("fieldsType", json!("X")), r#"invalid fieldsType "X" in managed fields entry 0"#);
        assert!(with("fieldsV1", json!([])).starts_with("fieldsV1 has an array"));
        assert!(Managers::from_json(&json!({})).is_err() && Managers::from_json(&json!([1])).is_err());
    }

    #[test]
    fn managers_are_named_as_in_a_conflict() {
        let update = ManagerId::new("kubectl-edit", Operation::Update, "apps/v1", "status");
        assert_eq!(update.to_string(), r#""kubectl-edit" with subresource "status" using apps/v1"#);
        assert_eq!(ManagerId::new("", Operation::Apply, "v1", "").to_string(), r#""unknown""#);
    }
}
