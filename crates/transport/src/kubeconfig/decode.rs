//! Converts YAML values to the model, with the path of the field in each error.
//!
//! The rules are those of Go's JSON decoder in kubectl: `null` is the same as a missing field, field names are case-sensitive,
//! and a number is not accepted as a string.

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;
use client_rs_machinery::collections::VecMap;
use serde_json::{Map, Value};

use super::{AuthInfo, KubeCluster, KubeContext, Kubeconfig, Preferences, Unknown};
use crate::{
    Secret,
    auth::{
        AuthProviderConfig,
        exec::{ExecConfig, ExecEnv, InteractiveMode},
    },
};

/// As lenient about the last bits as Go's decoder, and as strict about padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// The error names the field and the problem, but not its value.
pub(super) fn config(document: Value) -> Result<Kubeconfig, String> {
    let mut fields = Fields::of("", document)?;
    let (kind, version) = (fields.string("kind")?, fields.string("apiVersion")?);
    if !["", "Config"].contains(&&*kind) || !["", "v1"].contains(&&*version) {
        return Err(format!("this is a {kind:?} of version {version:?}, not a \"Config\" of version \"v1\""));
    }
    Ok(Kubeconfig {
        preferences: preferences(fields.object("preferences")?)?,
        clusters: named(&mut fields, "clusters", "cluster", cluster)?,
        users: named(&mut fields, "users", "user", auth_info)?,
        contexts: named(&mut fields, "contexts", "context", context)?,
        current_context: fields.string("current-context")?,
        extensions: extensions(&mut fields)?,
        unknown: fields.rest,
    })
}

fn preferences(mut fields: Fields) -> Result<Preferences, String> {
    Ok(Preferences {
        colors: fields.bool("colors")?,
        extensions: extensions(&mut fields)?,
        unknown: fields.rest,
    })
}

fn cluster(mut fields: Fields, beside: Map<String, Value>) -> Result<KubeCluster, String> {
    Ok(KubeCluster {
        origin: None,
        server: fields.string("server")?,
        tls_server_name: fields.string("tls-server-name")?,
        insecure_skip_tls_verify: fields.bool("insecure-skip-tls-verify")?,
        certificate_authority: fields.string("certificate-authority")?,
        certificate_authority_data: fields.bytes("certificate-authority-data")?,
        proxy_url: fields.string("proxy-url")?,
        disable_compression: fields.bool("disable-compression")?,
        extensions: extensions(&mut fields)?,
        unknown: Unknown { inside: fields.rest, beside },
    })
}

fn auth_info(mut fields: Fields, beside: Map<String, Value>) -> Result<AuthInfo, String> {
    Ok(AuthInfo {
        origin: None,
        client_certificate: fields.string("client-certificate")?,
        client_certificate_data: fields.bytes("client-certificate-data")?,
        client_key: fields.string("client-key")?,
        client_key_data: fields.bytes("client-key-data")?,
        token: Secret::new(fields.string("token")?),
        token_file: fields.string("tokenFile")?,
        impersonate: fields.string("as")?,
        impersonate_uid: fields.string("as-uid")?,
        impersonate_groups: fields.strings("as-groups")?,
        impersonate_user_extra: fields.map("as-user-extra", strings)?,
        username: fields.string("username")?,
        password: Secret::new(fields.string("password")?),
        auth_provider: fields.optional("auth-provider", auth_provider)?,
        exec: fields.optional("exec", exec)?,
        extensions: extensions(&mut fields)?,
        unknown: Unknown { inside: fields.rest, beside },
    })
}

fn context(mut fields: Fields, beside: Map<String, Value>) -> Result<KubeContext, String> {
    Ok(KubeContext {
        origin: None,
        cluster: fields.string("cluster")?,
        user: fields.string("user")?,
        namespace: fields.string("namespace")?,
        extensions: extensions(&mut fields)?,
        unknown: Unknown { inside: fields.rest, beside },
    })
}

fn auth_provider(mut fields: Fields) -> Result<AuthProviderConfig, String> {
    let (name, config) = (fields.string("name")?, fields.map("config", string)?);
    Ok(AuthProviderConfig { name, config, unknown: fields.rest })
}

fn exec(mut fields: Fields) -> Result<ExecConfig, String> {
    let api_version = fields.string("apiVersion")?;
    let interactive_mode = match InteractiveMode::from(&*fields.string("interactiveMode")?) {
        InteractiveMode::Unset
            if ["client.authentication.k8s.io/v1beta1", "client.authentication.k8s.io/v1alpha1"]
                .contains(&&*api_version) =>
        {
            InteractiveMode::IfAvailable
        }
        mode => mode,
    };
    let env = |path: &str, value| {
        let mut fields = Fields::of(path, value)?;
        let (name, value) = (fields.string("name")?, fields.string("value")?);
        Ok(ExecEnv { name, value, unknown: fields.rest })
    };
    Ok(ExecConfig {
        command: fields.string("command")?,
        args: fields.strings("args")?,
        env: fields.list("env", env)?,
        api_version,
        install_hint: fields.string("installHint")?,
        provide_cluster_info: fields.bool("provideClusterInfo")?,
        interactive_mode,
        unknown: fields.rest,
        ..ExecConfig::default()
    })
}

/// A list of `{name, <inner>}`. A duplicate name is an error, because it is ambiguous.
fn named<T>(
    fields: &mut Fields,
    list: &str,
    inner: &str,
    decode: impl Fn(Fields, Map<String, Value>) -> Result<T, String>,
) -> Result<VecMap<String, T>, String> {
    let mut entries = VecMap::new();
    for (index, value) in fields.array(list)?.into_iter().enumerate() {
        let path = format!("{list}[{index}]");
        let mut entry = Fields::of(&path, value)?;
        let name = entry.string("name")?;
        let decoded = decode(entry.object(inner)?, entry.rest)?;
        if entries.insert(name.clone(), decoded).is_some() {
            return Err(format!("{path}: duplicate name {name:?} in {list}"));
        }
    }
    Ok(entries)
}

fn extensions(fields: &mut Fields) -> Result<VecMap<String, Value>, String> {
    let at = fields.path_of("extensions");
    let mut entries = VecMap::new();
    for (index, value) in fields.array("extensions")?.into_iter().enumerate() {
        let path = format!("{at}[{index}]");
        let mut entry = Fields::of(&path, value)?;
        let name = entry.string("name")?;
        let extension = entry.rest.remove("extension").unwrap_or_default();
        if entries.insert(name.clone(), extension).is_some() {
            return Err(format!("{path}: duplicate name {name:?} in extensions"));
        }
    }
    Ok(entries)
}

/// The fields of an object. Reading a field removes it, so that the unknown fields remain.
struct Fields {
    path: String,
    rest: Map<String, Value>,
}

impl Fields {
    fn of(path: &str, value: Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(Self { path: path.to_owned(), rest: Map::new() }),
            Value::Object(rest) => Ok(Self { path: path.to_owned(), rest }),
            other => Err(mismatch(path, "a map", &other)),
        }
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn take(&mut self, name: &str) -> (String, Value) {
        (self.path_of(name), self.rest.remove(name).unwrap_or_default())
    }

    fn string(&mut self, name: &str) -> Result<String, String> {
        let (path, value) = self.take(name);
        string(&path, value)
    }

    fn bool(&mut self, name: &str) -> Result<bool, String> {
        match self.take(name) {
            (_, Value::Null) => Ok(false),
            (_, Value::Bool(value)) => Ok(value),
            (path, other) => Err(mismatch(&path, "true or false", &other)),
        }
    }

    fn bytes(&mut self, name: &str) -> Result<Bytes, String> {
        let (path, value) = self.take(name);
        let text = string(&path, value)?.replace(['\r', '\n'], "");
        let bytes =
            BASE64.decode(text).map_err(|error| format!("{path}: not base64: {}", position(&error)))?;
        Ok(bytes.into())
    }

    fn array(&mut self, name: &str) -> Result<Vec<Value>, String> {
        match self.take(name) {
            (_, Value::Null) => Ok(Vec::new()),
            (_, Value::Array(values)) => Ok(values),
            (path, other) => Err(mismatch(&path, "a list", &other)),
        }
    }

    fn list<T>(
        &mut self,
        name: &str,
        decode: impl Fn(&str, Value) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let path = self.path_of(name);
        let values = self.array(name)?.into_iter().enumerate();
        values.map(|(index, value)| decode(&format!("{path}[{index}]"), value)).collect()
    }

    fn strings(&mut self, name: &str) -> Result<Vec<String>, String> {
        self.list(name, string)
    }

    fn object(&mut self, name: &str) -> Result<Self, String> {
        let (path, value) = self.take(name);
        Self::of(&path, value)
    }

    fn optional<T>(
        &mut self,
        name: &str,
        decode: impl Fn(Self) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        match self.take(name) {
            (_, Value::Null) => Ok(None),
            (path, value) => decode(Self::of(&path, value)?).map(Some),
        }
    }

    fn map<T>(
        &mut self,
        name: &str,
        decode: impl Fn(&str, Value) -> Result<T, String>,
    ) -> Result<VecMap<String, T>, String> {
        let fields = self.object(name)?;
        let path = fields.path;
        let entries = fields.rest.into_iter();
        entries.map(|(key, value)| Ok((key.clone(), decode(&format!("{path}.{key}"), value)?))).collect()
    }
}

fn string(path: &str, value: Value) -> Result<String, String> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text),
        other => Err(mismatch(path, "a string (put it in quotes)", &other)),
    }
}

fn strings(path: &str, value: Value) -> Result<Vec<String>, String> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(values) => values.into_iter().map(|value| string(path, value)).collect(),
        other => Err(mismatch(path, "a list", &other)),
    }
}

/// Names the type of the value, not the value: it may be a password without quotes.
fn mismatch(path: &str, expected: &str, found: &Value) -> String {
    let found = match found {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    };
    let path = if path.is_empty() { "the document" } else { path };
    format!("{path}: expected {expected}, found {found}")
}

/// The decoder's own message quotes a byte of a possible key, so this one contains only the position.
fn position(error: &base64::DecodeError) -> String {
    match error {
        base64::DecodeError::InvalidByte(at, _) => format!("unexpected character at offset {at}"),
        base64::DecodeError::InvalidLength(length) => format!("{length} characters are not a valid length"),
        base64::DecodeError::InvalidLastSymbol { .. } => "the last character is not valid".to_owned(),
        base64::DecodeError::InvalidPadding => "wrong padding".to_owned(),
    }
}
