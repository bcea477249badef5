//! The plugin policy in kubectl's preferences.

use std::{env, fs, io, path::PathBuf};

use serde_json::Value;

use super::{ExecError, PluginPolicy};
use crate::paths::home_dir;
use crate::yaml;

impl PluginPolicy {
    /// Reads the policy for credential plugins from the user's kuberc file: the file in `KUBERC`, else `~/.kube/kuberc`, as
    /// kubectl does. Blocks on the file.
    ///
    /// Returns `None` if the file has no policy, does not exist, or is turned off (`KUBERC=off` or `KUBECTL_KUBERC=false`). A
    /// file that can't be read or parsed is an error, so that a policy is never ignored by accident.
    pub fn from_user_kuberc() -> Result<Option<Self>, ExecError> {
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let named = variable("KUBERC");
        let off = named.as_ref().is_some_and(|file| file == "off")
            || variable("KUBECTL_KUBERC").is_some_and(|value| value == "false");
        let file = named.map(PathBuf::from).or_else(|| Some(home_dir()?.join(".kube").join("kuberc")));
        let Some(file) = file.filter(|_| !off) else { return Ok(None) };
        let invalid = |why: String| ExecError::InvalidPolicy(format!("{}: {why}", file.display()));
        match fs::read(&file) {
            Ok(text) => Self::from_kuberc(&text).map_err(|error| match error {
                ExecError::InvalidPolicy(why) => invalid(why),
                other => other,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(invalid(error.to_string())),
        }
    }

    /// Parses the policy for credential plugins in the first document of a kuberc file (`credentialPluginPolicy`,
    /// `credentialPluginAllowlist`). Returns `None` if it has neither. A list without a policy is an allowlist.
    ///
    /// ```
    /// use client_rs_transport::auth::exec::PluginPolicy;
    ///
    /// let kuberc = b"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: aws}]";
    /// assert_eq!(PluginPolicy::from_kuberc(kuberc)?, Some(PluginPolicy::Allowlist(vec!["aws".to_owned()])));
    /// assert_eq!(PluginPolicy::from_kuberc(b"kind: Preference")?, None);
    /// # Ok::<(), client_rs_transport::auth::exec::ExecError>(())
    /// ```
    pub fn from_kuberc(text: &[u8]) -> Result<Option<Self>, ExecError> {
        const POLICY: &str = "credentialPluginPolicy";
        const LIST: &str = "credentialPluginAllowlist";
        let invalid = |why: &str| ExecError::InvalidPolicy(why.to_owned());
        let document = yaml::parse(text).map_err(ExecError::InvalidPolicy)?;
        let entries = match document.get(LIST) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(entries)) => &entries[..],
            Some(_) => return Err(invalid("credentialPluginAllowlist is not a list")),
        };
        // `command` is the newer name of the field.
        let program = |entry: &Value| match entry.as_object() {
            Some(fields) if fields.len() == 1 => {
                let program = fields.get("command").or_else(|| fields.get("name"))?;
                program.as_str().filter(|program| !program.is_empty()).map(str::to_owned)
            }
            _ => None,
        };
        let list = entries.iter().map(program).collect::<Option<Vec<_>>>();
        let list = list.ok_or_else(|| {
            invalid(
                "an entry of credentialPluginAllowlist must have one field, command or name, and no other",
            )
        })?;
        let policy = match document.get(POLICY) {
            None | Some(Value::Null) => "",
            Some(policy) => {
                policy.as_str().ok_or_else(|| invalid("credentialPluginPolicy is not a string"))?
            }
        };
        let policy = match policy {
            "" if list.is_empty() => return Ok(None),
            "" | "Allowlist" => Self::Allowlist(list),
            _ if !list.is_empty() => {
                return Err(invalid("credentialPluginAllowlist needs the credentialPluginPolicy Allowlist"));
            }
            "AllowAll" => Self::AllowAll,
            "DenyAll" => Self::DenyAll,
            _ => return Err(invalid("credentialPluginPolicy must be AllowAll, DenyAll or Allowlist")),
        };
        policy.validate()?;
        Ok(Some(policy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubectls_names_are_accepted_and_others_refused() {
        let read = |text: &str| PluginPolicy::from_kuberc(text.as_bytes());
        let head = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n";
        let list = |entries: &[&str]| {
            Ok(Some(PluginPolicy::Allowlist(entries.iter().map(|entry| (*entry).to_owned()).collect())))
        };
        assert_eq!(read(""), Ok(None));
        assert_eq!(read(&format!("{head}aliases: []\n")), Ok(None));
        for (word, policy) in [("AllowAll", PluginPolicy::AllowAll), ("DenyAll", PluginPolicy::DenyAll)] {
            assert_eq!(read(&format!("{head}credentialPluginPolicy: {word}\n")), Ok(Some(policy)));
        }
        let entries = "credentialPluginAllowlist:\n- command: aws\n- name: /usr/bin/plugin\n";
        assert_eq!(
            read(&format!("{head}credentialPluginPolicy: Allowlist\n{entries}")),
            list(&["aws", "/usr/bin/plugin"])
        );
        assert_eq!(read(&format!("{head}{entries}")), list(&["aws", "/usr/bin/plugin"]));
        for wrong in [
            "credentialPluginPolicy: Allowlist\n",
            "credentialPluginPolicy: allowall\n",
            "credentialPluginPolicy: [DenyAll]\n",
            "credentialPluginPolicy: DenyAll\ncredentialPluginAllowlist: [{command: aws}]\n",
            "credentialPluginAllowlist: aws\n",
            "credentialPluginAllowlist: [aws]\n",
            "credentialPluginAllowlist: [{command: aws, sha256: abc}]\n",
            "credentialPluginAllowlist: [{command: ''}]\n",
            "credentialPluginAllowlist: [{command: ./aws}]\n",
            "credentialPluginPolicy: [\n",
        ] {
            let error = read(&format!("{head}{wrong}"));
            assert!(matches!(error, Err(ExecError::InvalidPolicy(_))), "{wrong}: {error:?}");
        }
    }
}
