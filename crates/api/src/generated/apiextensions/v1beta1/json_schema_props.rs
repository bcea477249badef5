// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ExternalDocumentation;
use super::ValidationRule;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, OrArray, OrBool, OrStringArray, RawJson, Shared, Str};

/// `JSONSchemaProps` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct JSONSchemaProps {
    /// `id`: optional.
    pub id: Str,
    /// `$schema`: optional.
    pub schema: Str,
    /// `$ref`: optional.
    pub ref_: Option<Str>,
    /// `description`: optional.
    pub description: Str,
    /// `type`: optional.
    pub type_: Str,
    /// `format`: optional.
    pub format: Str,
    /// `title`: optional.
    pub title: Str,
    /// `default`: optional.
    pub default: Option<RawJson>,
    /// `maximum`: optional.
    pub maximum: Option<f64>,
    /// `exclusiveMaximum`: optional.
    pub exclusive_maximum: bool,
    /// `minimum`: optional.
    pub minimum: Option<f64>,
    /// `exclusiveMinimum`: optional.
    pub exclusive_minimum: bool,
    /// `maxLength`: optional.
    pub max_length: Option<i64>,
    /// `minLength`: optional.
    pub min_length: Option<i64>,
    /// `pattern`: optional.
    pub pattern: Str,
    /// `maxItems`: optional.
    pub max_items: Option<i64>,
    /// `minItems`: optional.
    pub min_items: Option<i64>,
    /// `uniqueItems`: optional.
    pub unique_items: bool,
    /// `multipleOf`: optional.
    pub multiple_of: Option<f64>,
    /// `enum`: optional. Apply replaces the list.
    pub enum_: List<RawJson>,
    /// `maxProperties`: optional.
    pub max_properties: Option<i64>,
    /// `minProperties`: optional.
    pub min_properties: Option<i64>,
    /// `required`: optional. Apply replaces the list.
    pub required: List<Str>,
    /// `items`: optional.
    pub items: Option<OrArray<JSONSchemaProps>>,
    /// `allOf`: optional. Apply replaces the list.
    pub all_of: List<JSONSchemaProps>,
    /// `oneOf`: optional. Apply replaces the list.
    pub one_of: List<JSONSchemaProps>,
    /// `anyOf`: optional. Apply replaces the list.
    pub any_of: List<JSONSchemaProps>,
    /// `not`: optional.
    pub not: Option<Shared<JSONSchemaProps>>,
    /// `properties`: optional.
    pub properties: Map<JSONSchemaProps>,
    /// `additionalProperties`: optional.
    pub additional_properties: Option<OrBool<JSONSchemaProps>>,
    /// `patternProperties`: optional.
    pub pattern_properties: Map<JSONSchemaProps>,
    /// `dependencies`: optional.
    pub dependencies: Map<OrStringArray<JSONSchemaProps>>,
    /// `additionalItems`: optional.
    pub additional_items: Option<OrBool<JSONSchemaProps>>,
    /// `definitions`: optional.
    pub definitions: Map<JSONSchemaProps>,
    /// `externalDocs`: optional.
    pub external_docs: Option<Shared<ExternalDocumentation>>,
    /// `example`: optional.
    pub example: Option<RawJson>,
    /// `nullable`: optional.
    pub nullable: bool,
    /// `x-kubernetes-preserve-unknown-fields`: optional.
    pub x_kubernetes_preserve_unknown_fields: Option<bool>,
    /// `x-kubernetes-embedded-resource`: optional.
    pub x_kubernetes_embedded_resource: bool,
    /// `x-kubernetes-int-or-string`: optional.
    pub x_kubernetes_int_or_string: bool,
    /// `x-kubernetes-list-map-keys`: optional. Apply replaces the list.
    pub x_kubernetes_list_map_keys: List<Str>,
    /// `x-kubernetes-list-type`: optional.
    pub x_kubernetes_list_type: Option<Str>,
    /// `x-kubernetes-map-type`: optional.
    pub x_kubernetes_map_type: Option<Str>,
    /// `x-kubernetes-validations`: optional. Apply and strategic merge patch merge entries by `rule`.
    pub x_kubernetes_validations: List<ValidationRule>,
}

impl JSONSchemaProps {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        id: Str::EMPTY,
        schema: Str::EMPTY,
        ref_: None,
        description: Str::EMPTY,
        type_: Str::EMPTY,
        format: Str::EMPTY,
        title: Str::EMPTY,
        default: None,
        maximum: None,
        exclusive_maximum: false,
        minimum: None,
        exclusive_minimum: false,
        max_length: None,
        min_length: None,
        pattern: Str::EMPTY,
        max_items: None,
        min_items: None,
        unique_items: false,
        multiple_of: None,
        enum_: List::EMPTY,
        max_properties: None,
        min_properties: None,
        required: List::EMPTY,
        items: None,
        all_of: List::EMPTY,
        one_of: List::EMPTY,
        any_of: List::EMPTY,
        not: None,
        properties: Map::EMPTY,
        additional_properties: None,
        pattern_properties: Map::EMPTY,
        dependencies: Map::EMPTY,
        additional_items: None,
        definitions: Map::EMPTY,
        external_docs: None,
        example: None,
        nullable: false,
        x_kubernetes_preserve_unknown_fields: None,
        x_kubernetes_embedded_resource: false,
        x_kubernetes_int_or_string: false,
        x_kubernetes_list_map_keys: List::EMPTY,
        x_kubernetes_list_type: None,
        x_kubernetes_map_type: None,
        x_kubernetes_validations: List::EMPTY,
    };
}

client_rs_machinery::message!(JSONSchemaProps, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "JSONSchemaProps",
    type_meta: None,
    fields: &[
        Field::new("id", Flags::OMIT_EMPTY),
        Field::new("$schema", Flags::OMIT_EMPTY),
        Field::new("$ref", Flags::OMIT_EMPTY),
        Field::new("description", Flags::OMIT_EMPTY),
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("format", Flags::OMIT_EMPTY),
        Field::new("title", Flags::OMIT_EMPTY),
        Field::new("default", Flags::OMIT_EMPTY),
        Field::new("maximum", Flags::OMIT_EMPTY),
        Field::new("exclusiveMaximum", Flags::OMIT_EMPTY),
        Field::new("minimum", Flags::OMIT_EMPTY),
        Field::new("exclusiveMinimum", Flags::OMIT_EMPTY),
        Field::new("maxLength", Flags::OMIT_EMPTY),
        Field::new("minLength", Flags::OMIT_EMPTY),
        Field::new("pattern", Flags::OMIT_EMPTY),
        Field::new("maxItems", Flags::OMIT_EMPTY),
        Field::new("minItems", Flags::OMIT_EMPTY),
        Field::new("uniqueItems", Flags::OMIT_EMPTY),
        Field::new("multipleOf", Flags::OMIT_EMPTY),
        Field::new("enum", Flags::OMIT_EMPTY),
        Field::new("maxProperties", Flags::OMIT_EMPTY),
        Field::new("minProperties", Flags::OMIT_EMPTY),
        Field::new("required", Flags::OMIT_EMPTY),
        Field::new("items", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("allOf", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("oneOf", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("anyOf", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("not", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("properties", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("additionalProperties", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("patternProperties", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("dependencies", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("additionalItems", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("definitions", Flags::OMIT_EMPTY).of::<JSONSchemaProps>(),
        Field::new("externalDocs", Flags::OMIT_EMPTY).of::<ExternalDocumentation>(),
        Field::new("example", Flags::OMIT_EMPTY),
        Field::new("nullable", Flags::OMIT_EMPTY),
        Field::new("x-kubernetes-preserve-unknown-fields", Flags::OMIT_EMPTY),
        Field::new("x-kubernetes-embedded-resource", Flags::OMIT_EMPTY),
        Field::new("x-kubernetes-int-or-string", Flags::OMIT_EMPTY),
        Field::new("x-kubernetes-list-map-keys", Flags::OMIT_EMPTY),
        Field::new("x-kubernetes-list-type", Flags::OMIT_EMPTY),
        Field::new("x-kubernetes-map-type", Flags::OMIT_EMPTY),
        Field::new("x-kubernetes-validations", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ValidationRule>()
            .merged_by("rule"),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
        Wire::field(9, 8),
        Wire::field(10, 9),
        Wire::field(11, 10),
        Wire::field(12, 11),
        Wire::field(13, 12),
        Wire::field(14, 13),
        Wire::field(15, 14),
        Wire::field(16, 15),
        Wire::field(17, 16),
        Wire::field(18, 17),
        Wire::field(19, 18),
        Wire::field(20, 19),
        Wire::field(21, 20),
        Wire::field(22, 21),
        Wire::field(23, 22),
        Wire::field(24, 23),
        Wire::field(25, 24),
        Wire::field(26, 25),
        Wire::field(27, 26),
        Wire::field(28, 27),
        Wire::field(29, 28),
        Wire::field(30, 29),
        Wire::field(31, 30),
        Wire::field(32, 31),
        Wire::field(33, 32),
        Wire::field(34, 33),
        Wire::field(35, 34),
        Wire::field(36, 35),
        Wire::field(37, 36),
        Wire::field(38, 37),
        Wire::field(39, 38),
        Wire::field(40, 39),
        Wire::field(41, 40),
        Wire::field(42, 41),
        Wire::field(43, 42),
        Wire::field(44, 43),
    ],
};

impl Fields for JSONSchemaProps {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.id),
            1 => FieldRef::value(&self.schema),
            2 => FieldRef::value(&self.ref_),
            3 => FieldRef::value(&self.description),
            4 => FieldRef::value(&self.type_),
            5 => FieldRef::value(&self.format),
            6 => FieldRef::value(&self.title),
            7 => FieldRef::value(&self.default),
            8 => FieldRef::value(&self.maximum),
            9 => FieldRef::value(&self.exclusive_maximum),
            10 => FieldRef::value(&self.minimum),
            11 => FieldRef::value(&self.exclusive_minimum),
            12 => FieldRef::value(&self.max_length),
            13 => FieldRef::value(&self.min_length),
            14 => FieldRef::value(&self.pattern),
            15 => FieldRef::value(&self.max_items),
            16 => FieldRef::value(&self.min_items),
            17 => FieldRef::value(&self.unique_items),
            18 => FieldRef::value(&self.multiple_of),
            19 => FieldRef::value(&self.enum_),
            20 => FieldRef::value(&self.max_properties),
            21 => FieldRef::value(&self.min_properties),
            22 => FieldRef::value(&self.required),
            23 => FieldRef::value(&self.items),
            24 => FieldRef::list(&self.all_of),
            25 => FieldRef::list(&self.one_of),
            26 => FieldRef::list(&self.any_of),
            27 => FieldRef::optional(&self.not),
            28 => FieldRef::value(&self.properties),
            29 => FieldRef::value(&self.additional_properties),
            30 => FieldRef::value(&self.pattern_properties),
            31 => FieldRef::value(&self.dependencies),
            32 => FieldRef::value(&self.additional_items),
            33 => FieldRef::value(&self.definitions),
            34 => FieldRef::optional(&self.external_docs),
            35 => FieldRef::value(&self.example),
            36 => FieldRef::value(&self.nullable),
            37 => FieldRef::value(&self.x_kubernetes_preserve_unknown_fields),
            38 => FieldRef::value(&self.x_kubernetes_embedded_resource),
            39 => FieldRef::value(&self.x_kubernetes_int_or_string),
            40 => FieldRef::value(&self.x_kubernetes_list_map_keys),
            41 => FieldRef::value(&self.x_kubernetes_list_type),
            42 => FieldRef::value(&self.x_kubernetes_map_type),
            43 => FieldRef::list(&self.x_kubernetes_validations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.id),
            1 => FieldMut::value(&mut self.schema),
            2 => FieldMut::value(&mut self.ref_),
            3 => FieldMut::value(&mut self.description),
            4 => FieldMut::value(&mut self.type_),
            5 => FieldMut::value(&mut self.format),
            6 => FieldMut::value(&mut self.title),
            7 => FieldMut::value(&mut self.default),
            8 => FieldMut::value(&mut self.maximum),
            9 => FieldMut::value(&mut self.exclusive_maximum),
            10 => FieldMut::value(&mut self.minimum),
            11 => FieldMut::value(&mut self.exclusive_minimum),
            12 => FieldMut::value(&mut self.max_length),
            13 => FieldMut::value(&mut self.min_length),
            14 => FieldMut::value(&mut self.pattern),
            15 => FieldMut::value(&mut self.max_items),
            16 => FieldMut::value(&mut self.min_items),
            17 => FieldMut::value(&mut self.unique_items),
            18 => FieldMut::value(&mut self.multiple_of),
            19 => FieldMut::value(&mut self.enum_),
            20 => FieldMut::value(&mut self.max_properties),
            21 => FieldMut::value(&mut self.min_properties),
            22 => FieldMut::value(&mut self.required),
            23 => FieldMut::value(&mut self.items),
            24 => FieldMut::list(&mut self.all_of),
            25 => FieldMut::list(&mut self.one_of),
            26 => FieldMut::list(&mut self.any_of),
            27 => FieldMut::optional(&mut self.not),
            28 => FieldMut::value(&mut self.properties),
            29 => FieldMut::value(&mut self.additional_properties),
            30 => FieldMut::value(&mut self.pattern_properties),
            31 => FieldMut::value(&mut self.dependencies),
            32 => FieldMut::value(&mut self.additional_items),
            33 => FieldMut::value(&mut self.definitions),
            34 => FieldMut::optional(&mut self.external_docs),
            35 => FieldMut::value(&mut self.example),
            36 => FieldMut::value(&mut self.nullable),
            37 => FieldMut::value(&mut self.x_kubernetes_preserve_unknown_fields),
            38 => FieldMut::value(&mut self.x_kubernetes_embedded_resource),
            39 => FieldMut::value(&mut self.x_kubernetes_int_or_string),
            40 => FieldMut::value(&mut self.x_kubernetes_list_map_keys),
            41 => FieldMut::value(&mut self.x_kubernetes_list_type),
            42 => FieldMut::value(&mut self.x_kubernetes_map_type),
            43 => FieldMut::list(&mut self.x_kubernetes_validations),
            _ => FieldMut::NONE,
        }
    }
}
