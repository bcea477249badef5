//! The committed schema files as Rust values: the only input of the code generator.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::de;

use super::clients::Client;
use super::discovery::Discovery;
use super::openapi::{PackageExtensions, StructExtensions};

pub(crate) use super::types::*;

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

/// The content of the schema files.
#[derive(Debug)]
pub(crate) struct Schema {
    /// By Go import path.
    pub(crate) packages: BTreeMap<String, Package>,
    /// In Go's order.
    pub(crate) clients: Vec<Client>,
    /// The facts that `OpenAPI` adds to the structs that the server serves.
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
                            "{} uses {kind:?}, which is not the kind of a struct",
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

    /// Returns every registered kind with its struct.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn committed() -> Schema {
        load(&client_rs_tests_tools::workspace::root().join("schema")).unwrap()
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
