//! The schema of a type as server-side apply needs it: how lists and maps merge, and so which parts can have an
//! owner.

use std::borrow::Cow;

use crate::Json;

/// A type of a [`MergeSchema`], by number. Those below [`MergeSchema::OWN`] are common to all.
pub type TypeId = u32;

/// Types as ownership and merging need them: lists that merge by key, and objects that are owned as a whole.
///
/// It consists of tables, so that it can be a constant of the program (the built-in kinds) or be built at run time (a
/// custom resource's structural schema). A reference to a missing type means a value of any type, owned as a whole.
#[derive(Clone, Debug, Default)]
pub struct MergeSchema {
    types: Cow<'static, [Type]>,
}

/// The shapes that a value may have. Most types have one of the three; a type that allows any value has all of them.
#[derive(Clone, Debug, Default)]
pub struct Type {
    /// A number, string or boolean.
    pub scalar: Option<Scalar>,
    /// A list.
    pub list: Option<ListType>,
    /// An object or map.
    pub map: Option<MapType>,
}

/// A plain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A string.
    String,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// Any of them.
    Any,
    /// An amount, as a string or a number.
    Quantity,
}

/// A list.
#[derive(Clone, Debug)]
pub struct ListType {
    /// The type of its items.
    pub item: TypeId,
    /// How it is merged and owned.
    pub rule: ListRule,
}

/// How a list is merged and owned: `x-kubernetes-list-type`.
#[derive(Clone, Debug)]
pub enum ListRule {
    /// As a whole.
    Atomic,
    /// By item: the items are plain values.
    Set,
    /// By item; these fields identify it: `x-kubernetes-list-map-keys`.
    Map(Cow<'static, [Cow<'static, str>]>),
}

/// An object with known fields, or a map, or both.
#[derive(Clone, Debug)]
pub struct MapType {
    /// The known fields, sorted by name.
    pub fields: Cow<'static, [Field]>,
    /// The type of all other entries; `None` if others are not allowed.
    pub values: Option<TypeId>,
    /// Owned as a whole: `x-kubernetes-map-type: atomic`.
    pub atomic: bool,
}

/// A known field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in JSON.
    pub name: Cow<'static, str>,
    /// Its type.
    pub ty: TypeId,
    /// Its default as JSON text. Only the default of a key of a list's items matters here.
    pub default: Option<Cow<'static, str>>,
}

impl Field {
    /// A field without a default.
    pub const fn new(name: &'static str, ty: TypeId) -> Self {
        Self { name: Cow::Borrowed(name), ty, default: None }
    }

    /// A field with a default, as JSON text.
    pub const fn with_default(name: &'static str, ty: TypeId, default: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), ty, default: Some(Cow::Borrowed(default)) }
    }
}

impl Type {
    /// A plain value.
    pub const fn scalar(scalar: Scalar) -> Self {
        Self { scalar: Some(scalar), list: None, map: None }
    }

    /// A list.
    pub const fn list(item: TypeId, rule: ListRule) -> Self {
        Self { scalar: None, list: Some(ListType { item, rule }), map: None }
    }

    /// A list of items known by these keys.
    pub const fn list_by(item: TypeId, keys: &'static [Cow<'static, str>]) -> Self {
        Self::list(item, ListRule::Map(Cow::Borrowed(keys)))
    }

    /// An object with these fields, sorted by name, and no others.
    pub const fn object(fields: &'static [Field], atomic: bool) -> Self {
        let map = MapType { fields: Cow::Borrowed(fields), values: None, atomic };
        Self { scalar: None, list: None, map: Some(map) }
    }

    /// A map of values of a type.
    pub const fn map(values: TypeId, atomic: bool) -> Self {
        let map = MapType { fields: Cow::Borrowed(&[]), values: Some(values), atomic };
        Self { scalar: None, list: None, map: Some(map) }
    }
}

impl MergeSchema {
    /// A string.
    pub const STRING: TypeId = 0;
    /// A number.
    pub const NUMBER: TypeId = 1;
    /// A boolean.
    pub const BOOLEAN: TypeId = 2;
    /// A string, number or boolean.
    pub const SCALAR: TypeId = 3;
    /// Any value, owned as a whole.
    pub const ATOMIC: TypeId = 4;
    /// Any value: objects are owned by field, lists as a whole.
    pub const DEDUCED: TypeId = 5;
    /// A quantity: owned like any plain value; equal amounts are equal in any notation.
    pub const QUANTITY: TypeId = 6;
    /// The number of a schema's own first type.
    pub const OWN: TypeId = 7;

    /// A schema of these types, numbered from [`OWN`](Self::OWN) on.
    pub const fn of_constants(types: &'static [Type]) -> Self {
        Self { types: Cow::Borrowed(types) }
    }

    /// A schema of these types, numbered from [`OWN`](Self::OWN) on.
    pub fn new(types: Vec<Type>) -> Self {
        Self { types: Cow::Owned(types) }
    }

    /// The schema with one of its types as the root of an object.
    pub fn root(&self, id: TypeId) -> TypeRef<'_> {
        TypeRef { schema: self, id }
    }
}

static COMMON: [Type; MergeSchema::OWN as usize] = [
    Type::scalar(Scalar::String),
    Type::scalar(Scalar::Number),
    Type::scalar(Scalar::Boolean),
    Type::scalar(Scalar::Any),
    anything(MergeSchema::ATOMIC, true),
    anything(MergeSchema::DEDUCED, false),
    Type::scalar(Scalar::Quantity),
];

const fn anything(values: TypeId, atomic: bool) -> Type {
    Type {
        scalar: Some(Scalar::Any),
        list: Some(ListType { item: MergeSchema::ATOMIC, rule: ListRule::Atomic }),
        map: Some(MapType { fields: Cow::Borrowed(&[]), values: Some(values), atomic }),
    }
}

/// A type of a schema.
#[derive(Clone, Copy, Debug)]
pub struct TypeRef<'s> {
    schema: &'s MergeSchema,
    id: TypeId,
}

/// The form of one value by its type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'s> {
    Scalar(Scalar),
    List(&'s ListType),
    Map(&'s MapType),
}

impl Form<'_> {
    /// Whether two forms of one type are the same.
    pub(super) fn is_that_of(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl<'s> TypeRef<'s> {
    fn resolve(self) -> &'s Type {
        let own = self.id.checked_sub(MergeSchema::OWN).and_then(|at| usize::try_from(at).ok());
        let found = match own {
            Some(at) => self.schema.types.get(at),
            None => usize::try_from(self.id).ok().and_then(|at| COMMON.get(at)),
        };
        found.unwrap_or(&COMMON[MergeSchema::ATOMIC as usize])
    }

    pub(super) fn other(self, id: TypeId) -> Self {
        Self { id, ..self }
    }

    /// Returns the form of a value; if the type does not allow it, the type's first form.
    pub(super) fn form(self, value: Option<&Json>) -> Form<'s> {
        let ty = self.resolve();
        let scalar = ty.scalar.map(Form::Scalar);
        let (list, map) = (ty.list.as_ref().map(Form::List), ty.map.as_ref().map(Form::Map));
        let own = match value {
            None | Some(Json::Null) => None,
            Some(Json::List(_)) => list,
            Some(Json::Map(_)) => map,
            Some(_) => scalar,
        };
        own.or(map).or(scalar).or(list).unwrap_or(Form::Scalar(Scalar::Any))
    }

    /// Returns the object type, if the value may be an object.
    pub(super) fn as_map(self) -> Option<&'s MapType> {
        self.resolve().map.as_ref()
    }

    /// Returns the list type, if the value may be a list.
    pub(super) fn as_list(self) -> Option<&'s ListType> {
        self.resolve().list.as_ref()
    }
}

impl MapType {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        let at = self.fields.binary_search_by(|field| field.name.as_ref().cmp(name)).ok()?;
        self.fields.get(at)
    }

    /// Returns the type of an entry; `None` if the type allows no such entry.
    pub(super) fn entry(&self, name: &str) -> Option<TypeId> {
        self.field(name).map(|field| field.ty).or(self.values)
    }

    /// Whether its entries are unknown.
    pub(super) fn is_deduced(&self) -> bool {
        self.fields.is_empty() && self.values == Some(MergeSchema::DEDUCED)
    }
}

impl ListType {
    pub(super) fn is_atomic(&self) -> bool {
        matches!(self.rule, ListRule::Atomic)
    }
}
