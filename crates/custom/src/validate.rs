//! Validation of custom objects without a server.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use client_rs_machinery::wire::{Decoding, Format, Message, Payload};
use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind, Json, Unstructured};
use client_rs_schema::{ObjectRules, Scale, Schema, check_labels_and_annotations, definition as checks};

use crate::CustomResource;

/// Validates custom objects as a server does, without one: schema, defaults, and CEL rules with `self` and `oldSelf`.
///
/// Every derived kind implements it. Use it in unit tests of a schema, in programs that want an error before they send a request,
/// and in admission webhooks that check what rules can't express in addition to the rules.
///
/// ```
/// use client_rs_custom::{CustomResource, Schema, Validate};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
/// #[resource(group = "example.com", version = "v1", kind = "Site", namespaced)]
/// # #[resource(crate = client_rs_custom)]
/// # #[schema(crate = client_rs_custom)]
/// struct SiteSpec {
///     #[schema(rule(expression = "self == oldSelf", message = "the host can't change"))]
///     host: String,
///     #[schema(minimum = 1)]
///     replicas: i32,
/// }
///
/// let old = Site::new("web", SiteSpec { host: "a.example".to_owned(), replicas: 1 });
/// old.validate()?;
///
/// let mut new = old.clone();
/// new.spec.replicas = 0;
/// let error = new.validate().unwrap_err();
/// assert_eq!(
///     error.message(),
///     "Site.example.com \"web\" is invalid: spec.replicas: Invalid value: 0: spec.replicas in body should be greater \
///      than or equal to 1"
/// );
///
/// new.spec = SiteSpec { host: "b.example".to_owned(), replicas: 2 };
/// let error = new.validate_update(&old).unwrap_err();
/// assert!(error.is_invalid() && error.message().ends_with("the host can't change"));
/// # Ok::<(), client_rs_custom::machinery::ApiError>(())
/// ```
///
/// # Contract
///
/// - The error is the one of the server: code 422, one cause per field, in the server's order and words.
/// - With the subresource `status`, the status counts only in [`validate_status`](Self::validate_status), as in the server.
/// - Each call encodes the object once. The schema of a kind is compiled at the first call and kept while the program runs.
/// - Pure: no I/O, no clock. The cost of CEL rules is bounded as in the server.
/// - Not checked: names, quotas, admission by webhooks and policies, and whether an object with this name exists.
pub trait Validate: CustomResource + Sized {
    /// Validates a new object: what a server does for a create.
    fn validate(&self) -> Result<(), ApiError> {
        let compiled = Compiled::of::<Self>();
        let mut object = compiled.read(self)?;
        if Self::VERSION_SPEC.status_subresource {
            object.object.remove("status");
        }
        compiled.finish::<Self>(self.name(), &object, None)
    }

    /// Validates the change of an object: what a server does for an update or a patch. An error that the old object has already is
    /// ignored where the value is unchanged.
    fn validate_update(&self, old: &Self) -> Result<(), ApiError> {
        let compiled = Compiled::of::<Self>();
        let (mut object, old) = (compiled.read(self)?, compiled.read(old)?);
        if Self::VERSION_SPEC.status_subresource {
            take_field(&mut object, &old, "status");
        }
        compiled.finish::<Self>(self.name(), &object, Some(&old))
    }

    /// Validates a change of the status: what a server does for an update of the subresource `status`. All other fields are those
    /// of the old object.
    fn validate_status(&self, old: &Self) -> Result<(), ApiError> {
        let compiled = Compiled::of::<Self>();
        let (new, old) = (compiled.read(self)?, compiled.read(old)?);
        let mut object = old.clone();
        take_field(&mut object, &new, "status");
        let errors = compiled.rules().validate_status(&object, &old);
        invalid::<Self>(self.name(), errors)
    }

    /// Returns the object with the defaults of the schema set: what a server stores.
    ///
    /// Only fields that are missing in the JSON get a default. A field of the struct that serde always writes has none.
    fn with_defaults(&self) -> Result<Self, ApiError> {
        let object = Compiled::of::<Self>().read(self)?;
        let text = Json::Map(object.object).to_vec();
        let decoded = Self::decode(Format::Json, &text, &mut Decoding::new());
        decoded.map_err(|error| ApiError::bad_request(error.to_string()))
    }

    /// Validates the definition of the kind: what a server does before it accepts [`definition`](crate::definition()). Call it in a
    /// unit test, to find rules that do not compile or that may cost too much before a cluster does.
    fn validate_definition() -> Result<(), ApiError> {
        let definition = crate::definition::<Self>();
        let mut object = Unstructured::from_json(&definition.to_json())
            .map_err(|error| ApiError::bad_request(error.to_string()))?;
        checks::default(&mut object);
        checks::note_storage(&mut object);
        let kind = GroupKind::new("apiextensions.k8s.io", "CustomResourceDefinition");
        let errors = checks::check(&object, None);
        if errors.is_empty() {
            return Ok(());
        }
        Err(ApiError::invalid(&kind, &definition.metadata.name, &FieldErrors(errors)))
    }
}

impl<K: CustomResource> Validate for K {}

/// The compiled rules of a kind.
struct Compiled {
    schema: Schema,
    scale: Option<Scale>,
}

/// The rules by type. There is one entry per derived kind of the program.
static COMPILED: LazyLock<Mutex<HashMap<TypeId, Arc<Compiled>>>> = LazyLock::new(Mutex::default);

impl Compiled {
    fn of<K: CustomResource>() -> Arc<Self> {
        let id = TypeId::of::<K>();
        let all = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = all().get(&id) {
            return compiled.clone();
        }
        // Outside of the lock: two threads may compile the same rules once each.
        let compiled = Arc::new(Self::compile::<K>());
        all().entry(id).or_insert(compiled).clone()
    }

    fn compile<K: CustomResource>() -> Self {
        let path = |path: &str| path.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let scale = K::VERSION_SPEC.scale.map(|scale| Scale {
            spec: path(scale.spec_replicas),
            status: path(scale.status_replicas),
            selector: scale.label_selector.map(path),
        });
        Self { schema: Schema::compile(&crate::definition::schema_of::<K>()), scale }
    }

    fn rules(&self) -> ObjectRules<'_> {
        ObjectRules { schema: Some(&self.schema), scale: self.scale.as_ref(), preserve_unknown: false }
    }

    /// Returns the object as a server reads it: pruned and defaulted.
    fn read<K: Payload>(&self, object: &K) -> Result<Unstructured, ApiError> {
        let object = Unstructured::from_json(&object.encode(Format::Json))
            .map_err(|error| ApiError::bad_request(error.to_string()))?;
        self.rules().read(object).map(|read| read.object).map_err(ApiError::bad_request)
    }

    fn finish<K: CustomResource>(
        &self,
        name: &str,
        object: &Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError> {
        let mut errors = check_labels_and_annotations(object, "metadata");
        errors.extend(self.rules().validate(object, old));
        invalid::<K>(name, errors)
    }
}

fn invalid<K: CustomResource>(name: &str, errors: Vec<FieldError>) -> Result<(), ApiError> {
    if errors.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid(&GroupKind::new(K::INFO.group, K::INFO.kind), name, &FieldErrors(errors)))
}

/// Makes a field equal to that of another object.
fn take_field(object: &mut Unstructured, from: &Unstructured, field: &str) {
    match from.object.get(field) {
        Some(value) => drop(object.object.insert(field, value.clone())),
        None => drop(object.object.remove(field)),
    }
}
