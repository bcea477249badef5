//! The committed schema files as Rust values: what the code generator reads, and all that it reads.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, de};

use super::clients::Client;
use super::discovery::Discovery;
use super::openapi::{PackageExtensions, StructExtensions};

/// Loads a schema folder, checked: see [`Schema::check`].
pub(crate) fn load(folder: &Path) -> Result<Schema> {
    let mut schema = load_types(folder)?;
    for package in read_all::<PackageExtensions>(&folder.join("openapi"))? {
        for extensions in package.structs {
            let name = TypeName { package: package.path.clone(), name: extensions.name.clone() };
            schema.extensions.insert(name, extensions);
        }
    }
    schema.discovery = read(&folder.join("discovery.json"))?;
    schema.check()?;
    Ok(schema)
}

/// Loads the part of a schema folder that comes from the Go modules alone.
pub(crate) fn load_types(folder: &Path) -> Result<Schema> {
    let packages: Vec<Package> = read_all(&folder.join("types"))?;
    let packages = packages.into_iter().map(|package| (package.path.clone(), package)).collect();
    let clients = read(&folder.join("clients.json"))?;
    let schema = Schema { packages, clients, extensions: BTreeMap::new(), discovery: Discovery::default() };
    schema.check()?;
    Ok(schema)
}

fn read_all<T: de::DeserializeOwned>(folder: &Path) -> Result<Vec<T>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))?;
    let mut values = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            values.push(read(&path)?);
        }
    }
    Ok(values)
}

fn read<T: de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} does not fit the model", path.display()))
}

/// Everything that the schema files say.
#[derive(Debug)]
pub(crate) struct Schema {
    /// By Go import path.
    pub(crate) packages: BTreeMap<String, Package>,
    /// In Go's order.
    pub(crate) clients: Vec<Client>,
    /// What `OpenAPI` adds to the structs that the server knows; nothing for a struct it does not serve.
    pub(crate) extensions: BTreeMap<TypeName, StructExtensions>,
    pub(crate) discovery: Discovery,
}

impl Schema {
    /// The struct of that name. Every name that a loaded schema holds resolves.
    pub(crate) fn find(&self, name: &TypeName) -> Option<&Struct> {
        self.packages.get(&name.package)?.find(&name.name)
    }

    /// A struct's fields as JSON has them: inlined structs are opened in place, and what JSON leaves out is left out.
    pub(crate) fn json_fields<'a>(&'a self, of: &'a Struct) -> Vec<&'a Field> {
        let mut fields = Vec::new();
        for field in &of.fields {
            match (&field.ty, field.inline) {
                (Type::Struct(name), true) => {
                    fields.extend(self.find(name).into_iter().flat_map(|inner| self.json_fields(inner)));
                }
                _ if field.json.is_some() => fields.push(field),
                _ => {}
            }
        }
        fields
    }

    /// Names resolve; protobuf numbers and inlined JSON names are unique in their struct; kinds are unique; what
    /// clients, `OpenAPI` and discovery name is there.
    pub(crate) fn check(&self) -> Result<()> {
        let kinds = self.check_packages()?;
        for client in &self.clients {
            let returned = client.extra.iter().filter_map(|method| method.returns.as_ref());
            for name in client.kind.iter().chain(&client.list).chain(returned) {
                ensure!(
                    self.find(name).is_some(),
                    "{}.{}: there is no {name}",
                    client.accessor,
                    client.getter
                );
            }
        }
        for (name, extensions) in &self.extensions {
            self.check_extensions(name, extensions).with_context(|| name.to_string())?;
        }
        for group in &self.discovery.groups {
            for version in &group.versions {
                for resource in &version.resources {
                    let own = (group.name.as_str(), version.version.as_str(), resource.kind.as_str());
                    let spoken = resource.subresources.iter().map(|subresource| {
                        let group = subresource.group.as_deref().unwrap_or(&group.name);
                        let version = subresource.version.as_deref().unwrap_or(&version.version);
                        (group, version, subresource.kind.as_str())
                    });
                    for (group, version, kind) in std::iter::once(own).chain(spoken) {
                        let kind = Gvk {
                            group: group.to_owned(),
                            version: version.to_owned(),
                            kind: kind.to_owned(),
                        };
                        ensure!(
                            kinds.contains_key(&kind),
                            "{} speaks {kind:?}, which is no struct's",
                            resource.name
                        );
                    }
                }
            }
        }
        Ok(())
    }

    fn check_extensions(&self, name: &TypeName, extensions: &StructExtensions) -> Result<()> {
        let of = self.find(name).context("there is no such struct")?;
        let fields = self.json_fields(of);
        let named = extensions.fields.iter().map(|field| &field.json).chain(&extensions.required);
        for json in named {
            ensure!(fields.iter().any(|field| field.json.as_ref() == Some(json)), "there is no field {json}");
        }
        Ok(())
    }

    /// Gives every registered kind with the struct that serves as it.
    fn check_packages(&self) -> Result<BTreeMap<&Gvk, String>> {
        let mut kinds = BTreeMap::new();
        for package in self.packages.values() {
            for of in &package.structs {
                let at = || format!("{}.{}", package.path, of.name);
                self.check_struct(of).with_context(at)?;
                for kind in &of.kinds {
                    ensure!(kinds.insert(kind, at()).is_none(), "{}: {kind:?} is served twice", at());
                }
            }
        }
        Ok(kinds)
    }

    fn check_struct(&self, of: &Struct) -> Result<()> {
        let mut numbers = BTreeMap::new();
        for field in &of.fields {
            self.check_type(&field.ty).with_context(|| field.name.clone())?;
            ensure!(
                !field.inline || matches!(field.ty, Type::Struct(_)),
                "{} is inline, and no struct",
                field.name
            );
            if let Some(pb) = &field.pb {
                ensure!(of.message, "{} is on the protobuf wire, its struct is not", field.name);
                ensure!(
                    pb.wire == field.ty.wire(),
                    "{} has a wire type that does not suit its type",
                    field.name
                );
                ensure!(
                    pb.write == field.ty.write(),
                    "{} is written otherwise than its type says",
                    field.name
                );
                let twice = numbers.insert(pb.number, &field.name);
                ensure!(twice.is_none(), "{} and {twice:?} have one protobuf number", field.name);
            }
        }
        let mut names = BTreeMap::new();
        for field in self.json_fields(of) {
            let twice = names.insert(field.json.as_deref(), &field.name);
            ensure!(twice.is_none(), "{} and {twice:?} have one JSON name", field.name);
        }
        Ok(())
    }

    fn check_type(&self, ty: &Type) -> Result<()> {
        match ty {
            Type::Scalar { .. } | Type::Special { .. } => Ok(()),
            Type::Struct(name) => {
                ensure!(self.find(name).is_some(), "there is no {name}");
                Ok(())
            }
            Type::Ptr(inner) | Type::Slice { item: inner, .. } => self.check_type(inner),
            Type::Map { key, value, .. } => {
                let key = key.as_deref();
                ensure!(
                    matches!(key, None | Some(Type::Scalar { scalar: Scalar::String, .. })),
                    "a map's key is {key:?}"
                );
                self.check_type(value)
            }
        }
    }
}

/// One Go package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Package {
    /// The Go import path.
    #[serde(rename = "package")]
    pub(crate) path: String,
    /// The API group of the package's kinds, empty for the core group; none for a package without kinds.
    pub(crate) group: Option<String>,
    pub(crate) version: Option<String>,
    /// Sorted by name.
    pub(crate) structs: Vec<Struct>,
    /// Sorted by name: the named scalars that fields are of, where they have constants.
    #[serde(default)]
    pub(crate) enums: Vec<Enum>,
    /// Sorted by name: exported strings of no named type, such as well-known labels and annotations.
    #[serde(default)]
    pub(crate) constants: Vec<Constant>,
}

impl Package {
    pub(crate) fn find(&self, name: &str) -> Option<&Struct> {
        let at = self.structs.binary_search_by(|of| of.name.as_str().cmp(name)).ok()?;
        self.structs.get(at)
    }
}

/// One Go struct.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// Whether the struct has a protobuf form.
    pub(crate) message: bool,
    #[serde(default)]
    pub(crate) kinds: Vec<Gvk>,
    /// Registered in every group version; `kinds` names the core one alone.
    #[serde(default)]
    pub(crate) everywhere: bool,
    /// In Go's order, which is also the order that Go writes JSON in. Protobuf is written in the order of numbers.
    pub(crate) fields: Vec<Field>,
}

/// A registered group, version and kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gvk {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

/// A field, by its Go type and tags and by the generated protobuf code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Field {
    /// The Go name.
    pub(crate) name: String,
    /// None for a field that is inlined, or not in JSON at all.
    pub(crate) json: Option<String>,
    /// Its fields stand among its owner's in JSON; in protobuf it is a message of its own.
    #[serde(default)]
    pub(crate) inline: bool,
    #[serde(default)]
    pub(crate) omitempty: bool,
    #[serde(default)]
    pub(crate) omitzero: bool,
    /// None for a field that is not on the protobuf wire.
    pub(crate) pb: Option<Protobuf>,
    #[serde(rename = "type")]
    pub(crate) ty: Type,
    #[serde(default, rename = "patchStrategy")]
    pub(crate) patch_strategy: Vec<String>,
    #[serde(rename = "patchMergeKey")]
    pub(crate) patch_merge_key: Option<String>,
}

/// How a field is written to protobuf.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Protobuf {
    pub(crate) number: u32,
    pub(crate) wire: Wire,
    pub(crate) write: Write,
}

/// A protobuf wire type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Wire {
    Varint,
    Fixed64,
    Bytes,
}

/// When Go's encoder writes a field to protobuf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Write {
    /// Whatever it holds: zeros and empty messages too.
    Always,
    /// Unless it is nil; an empty value that is not nil is written.
    NonNil,
    /// Unless the list or map is empty.
    NonEmpty,
}

/// A Go type.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawType")]
pub(crate) enum Type {
    /// With the Go name of a named type, which may have constants: see [`Package::enums`].
    Scalar {
        scalar: Scalar,
        name: Option<TypeName>,
    },
    Struct(TypeName),
    /// A type that is mapped by hand; `Any` has no name.
    Special {
        special: Special,
        name: Option<TypeName>,
    },
    Ptr(Box<Type>),
    Slice {
        item: Box<Type>,
        name: Option<TypeName>,
    },
    /// The key is a plain string, or the named string type given.
    Map {
        key: Option<Box<Type>>,
        value: Box<Type>,
        name: Option<TypeName>,
    },
}

impl Type {
    fn wire(&self) -> Wire {
        match self {
            Self::Scalar { scalar, .. } => match scalar {
                Scalar::Bool | Scalar::Int32 | Scalar::Int64 => Wire::Varint,
                Scalar::Float64 => Wire::Fixed64,
                Scalar::String | Scalar::Bytes => Wire::Bytes,
            },
            Self::Struct(_) | Self::Special { .. } | Self::Map { .. } => Wire::Bytes,
            Self::Ptr(inner) | Self::Slice { item: inner, .. } => inner.wire(),
        }
    }

    fn write(&self) -> Write {
        match self {
            Self::Ptr(_)
            | Self::Scalar { scalar: Scalar::Bytes, .. }
            | Self::Special { special: Special::StringList, .. } => Write::NonNil,
            Self::Scalar { .. } | Self::Struct(_) | Self::Special { .. } => Write::Always,
            Self::Slice { .. } | Self::Map { .. } => Write::NonEmpty,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scalar {
    Bool,
    Int32,
    Int64,
    Float64,
    String,
    /// `[]byte`: base64 in JSON.
    Bytes,
}

/// The types that the schema names and does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) enum Special {
    /// Any JSON value; not in protobuf.
    Any,
    Duration,
    FieldsV1,
    IntOrString,
    #[serde(rename = "JSON")]
    Json,
    #[serde(rename = "JSONSchemaPropsOrArray")]
    JsonSchemaPropsOrArray,
    #[serde(rename = "JSONSchemaPropsOrBool")]
    JsonSchemaPropsOrBool,
    #[serde(rename = "JSONSchemaPropsOrStringArray")]
    JsonSchemaPropsOrStringArray,
    MicroTime,
    Quantity,
    RawExtension,
    /// A list of strings that is a message of its own in protobuf, and a plain list in JSON.
    StringList,
    Time,
}

/// A Go type's name: import path, dot, name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct TypeName {
    pub(crate) package: String,
    pub(crate) name: String,
}

impl TryFrom<String> for TypeName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.rsplit_once('.') {
            Some((package, name)) if !package.is_empty() && !name.is_empty() && !name.contains('/') => {
                Ok(Self { package: package.to_owned(), name: name.to_owned() })
            }
            _ => Err(format!("`{text}` is no Go type's name")),
        }
    }
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.package, self.name)
    }
}

/// A named scalar type and its constants.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) scalar: Scalar,
    /// Sorted by name.
    pub(crate) values: Vec<Constant>,
}

/// An exported Go constant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: Literal,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Literal {
    String(String),
    Int(i64),
}

/// [`Type`] as the files hold it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawType {
    scalar: Option<Scalar>,
    r#struct: Option<TypeName>,
    special: Option<Special>,
    ptr: Option<Box<Type>>,
    slice: Option<Box<Type>>,
    map: Option<Box<Type>>,
    key: Option<Box<Type>>,
    name: Option<TypeName>,
}

impl TryFrom<RawType> for Type {
    type Error = &'static str;

    fn try_from(raw: RawType) -> Result<Self, &'static str> {
        match raw {
            RawType {
                scalar: Some(scalar),
                r#struct: None,
                special: None,
                ptr: None,
                slice: None,
                map: None,
                key: None,
                name,
            } => Ok(Self::Scalar { scalar, name }),
            RawType {
                scalar: None,
                r#struct: Some(of),
                special: None,
                ptr: None,
                slice: None,
                map: None,
                key: None,
                name: None,
            } => Ok(Self::Struct(of)),
            RawType {
                scalar: None,
                r#struct: None,
                special: Some(special),
                ptr: None,
                slice: None,
                map: None,
                key: None,
                name,
            } => Ok(Self::Special { special, name }),
            RawType {
                scalar: None,
                r#struct: None,
                special: None,
                ptr: Some(inner),
                slice: None,
                map: None,
                key: None,
                name: None,
            } => Ok(Self::Ptr(inner)),
            RawType {
                scalar: None,
                r#struct: None,
                special: None,
                ptr: None,
                slice: Some(item),
                map: None,
                key: None,
                name,
            } => Ok(Self::Slice { item, name }),
            RawType {
                scalar: None,
                r#struct: None,
                special: None,
                ptr: None,
                slice: None,
                map: Some(value),
                key,
                name,
            } => Ok(Self::Map { key, value, name }),
            _ => Err("a type is exactly one of scalar, struct, special, ptr, slice and map"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed() -> Schema {
        load(&crate::workspace::root().join("xtask/schema")).unwrap()
    }

    #[test]
    fn committed_files_load_and_hold_together() {
        let schema = committed();
        let structs: usize = schema.packages.values().map(|package| package.structs.len()).sum();
        assert!(structs > 1_000, "{structs} structs");
        assert!(schema.clients.len() > 150, "{} clients", schema.clients.len());
        assert!(schema.extensions.len() > 500, "{} structs with extensions", schema.extensions.len());
        assert!(schema.discovery.groups.len() > 20, "{} groups", schema.discovery.groups.len());
    }

    #[test]
    fn a_pod_is_as_go_has_it() {
        let schema = committed();
        let pod = schema.find(&"k8s.io/api/core/v1.Pod".to_owned().try_into().unwrap()).unwrap();
        let kind = Gvk { group: String::new(), version: "v1".to_owned(), kind: "Pod".to_owned() };
        assert_eq!(pod.kinds, [kind]);
        let names: Vec<_> = schema.json_fields(pod).iter().map(|field| field.json.as_deref()).collect();
        let expected = ["kind", "apiVersion", "metadata", "spec", "status"].map(Some);
        assert_eq!(names, expected);
    }

    #[test]
    fn a_type_of_two_forms_is_refused() {
        let error =
            serde_json::from_str::<Type>(r#"{"scalar":"string","ptr":{"scalar":"string"}}"#).unwrap_err();
        assert!(error.to_string().contains("exactly one"), "{error}");
    }

    #[test]
    fn a_name_that_does_not_resolve_is_refused() {
        let text = r#"{"package":"p","structs":[{"name":"A","message":false,"fields":[
            {"name":"B","json":"b","type":{"slice":{"struct":"p.C"}}}]}]}"#;
        let package: Package = serde_json::from_str(text).unwrap();
        let packages = BTreeMap::from([("p".to_owned(), package)]);
        let (extensions, discovery) = (BTreeMap::new(), Discovery::default());
        let schema = Schema { packages, clients: Vec::new(), extensions, discovery };
        let error = format!("{:#}", schema.check().unwrap_err());
        assert_eq!(error, "p.A: B: there is no p.C");
    }
}
