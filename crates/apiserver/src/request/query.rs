//! The options in a request's query.

use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind, Str};

use crate::registry::{At, WriteOptions};

/// The parameters of a query, as received.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

/// The options of a list or a watch.
#[derive(Debug)]
pub(crate) struct ListOptions {
    pub(crate) watch: bool,
    pub(crate) labels: String,
    pub(crate) fields: String,
    pub(crate) shard: String,
    pub(crate) limit: usize,
    pub(crate) continue_token: String,
    pub(crate) resource_version: String,
    pub(crate) version_match: String,
    pub(crate) timeout_seconds: Option<u64>,
    pub(crate) bookmarks: bool,
    pub(crate) send_initial_events: Option<bool>,
}

/// The mode of field validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldValidation {
    Ignore,
    Warn,
    Strict,
}

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The first value of a parameter; empty if it is missing.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// All values of a parameter.
    pub(crate) fn all<'q>(&'q self, name: &'q str) -> impl Iterator<Item = &'q str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// A boolean, parsed as Go does it for queries: a present value is true unless it is `false` or `0`.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.has(name).then(|| !matches!(self.get(name).to_ascii_lowercase().as_str(), "false" | "0"))
    }

    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, ApiError> {
        let text = self.get(name);
        if text.is_empty() {
            return Ok(None);
        }
        let error = || ApiError::bad_request(format!("strconv.ParseInt: parsing {text:?}: invalid syntax"));
        text.parse().map(Some).map_err(|_| error())
    }

    /// The options of a list or a watch, validated.
    pub(crate) fn list_options(&self) -> Result<ListOptions, ApiError> {
        let options = ListOptions {
            watch: self.flag("watch").unwrap_or(false),
            labels: self.get("labelSelector").to_owned(),
            fields: self.get("fieldSelector").to_owned(),
            shard: self.get("shardSelector").to_owned(),
            limit: usize::try_from(self.integer("limit")?.unwrap_or(0)).unwrap_or(0),
            continue_token: self.get("continue").to_owned(),
            resource_version: self.get("resourceVersion").to_owned(),
            version_match: self.get("resourceVersionMatch").to_owned(),
            timeout_seconds: self
                .integer("timeoutSeconds")?
                .and_then(|seconds| u64::try_from(seconds).ok())
                .filter(|seconds| *seconds > 0),
            bookmarks: self.flag("allowWatchBookmarks").unwrap_or(false),
            send_initial_events: self.flag("sendInitialEvents"),
        };
        options.check()?;
        Ok(options)
    }

    /// The options of a write.
    pub(crate) fn write_options(
        &self,
        kind: &str,
    ) -> Result<(WriteOptions<'static>, FieldValidation), ApiError> {
        self.checked_options(kind, Vec::new())
    }

    /// The options of a patch, and whether an apply is forced.
    pub(crate) fn patch_options(
        &self,
        applies: bool,
    ) -> Result<(WriteOptions<'static>, FieldValidation, bool), ApiError> {
        let mut errors = Vec::new();
        if applies && self.get(FIELD_MANAGER).is_empty() {
            errors.push(FieldError::required(FIELD_MANAGER, "is required for apply patch"));
        }
        if !applies && self.has("force") {
            errors.push(FieldError::forbidden("force", "may not be specified for non-apply patch"));
        }
        let (options, validation) = self.checked_options("PatchOptions", errors)?;
        Ok((options, validation, self.flag("force").unwrap_or(false)))
    }

    /// The field manager: the parameter, or the client's user agent up to the first slash.
    pub(crate) fn manager(&self, user_agent: &str) -> String {
        let named = self.get(FIELD_MANAGER);
        if !named.is_empty() {
            return named.to_owned();
        }
        let program = user_agent.split('/').next().unwrap_or_default();
        let mut name = String::new();
        for letter in program.chars().filter(|letter| is_printable(*letter)) {
            if name.len() + letter.len_utf8() > FIELD_MANAGER_MAX {
                break;
            }
            name.push(letter);
        }
        name
    }

    fn checked_options(
        &self,
        kind: &str,
        mut errors: Vec<FieldError>,
    ) -> Result<(WriteOptions<'static>, FieldValidation), ApiError> {
        let manager = self.get(FIELD_MANAGER);
        if manager.len() > FIELD_MANAGER_MAX {
            errors.push(FieldError::too_long(FIELD_MANAGER, FIELD_MANAGER_MAX));
        }
        for (at, letter) in manager.char_indices().filter(|(_, letter)| !is_printable(*letter)) {
            let why = format!("invalid character {} (at position {at})", shown_letter(letter));
            errors.push(FieldError::invalid(FIELD_MANAGER, manager, why));
        }
        let dry_run: Vec<&str> =
            self.0.iter().filter(|(key, _)| key == "dryRun").map(|(_, value)| value.as_str()).collect();
        if dry_run.iter().any(|value| *value != "All") {
            let shown = client_rs_machinery::Json::from(dry_run.clone()).to_string();
            errors.push(FieldError::not_supported_json("dryRun", shown, &["All"]));
        }
        let validation = match self.get("fieldValidation") {
            "" | "Warn" => FieldValidation::Warn,
            "Ignore" => FieldValidation::Ignore,
            "Strict" => FieldValidation::Strict,
            other => {
                let supported = ["", "Ignore", "Strict", "Warn"];
                errors.push(FieldError::not_supported("fieldValidation", other, &supported));
                FieldValidation::Warn
            }
        };
        if !errors.is_empty() {
            return Err(invalid(kind, errors));
        }
        Ok((WriteOptions { dry_run: !dry_run.is_empty(), ..WriteOptions::default() }, validation))
    }

    /// The options of a write as webhooks receive them, without their kind.
    pub(crate) fn admission_options(&self) -> client_rs_machinery::Json {
        let mut told = client_rs_machinery::Map::new();
        for name in [FIELD_MANAGER, "fieldValidation"] {
            if !self.get(name).is_empty() {
                told.insert(name, self.get(name).into());
            }
        }
        let dry_run: Vec<&str> = self.all("dryRun").collect();
        if !dry_run.is_empty() {
            told.insert("dryRun", dry_run.into());
        }
        client_rs_machinery::Json::Map(told)
    }

    /// The options of a delete in its query. The body may contain them too.
    pub(crate) fn delete_options(&self) -> Result<client_rs_machinery::meta::v1::DeleteOptions, ApiError> {
        let text = |name: &str| Some(self.get(name)).filter(|value| !value.is_empty()).map(Str::from);
        Ok(client_rs_machinery::meta::v1::DeleteOptions {
            grace_period_seconds: self.integer("gracePeriodSeconds")?,
            orphan_dependents: self.flag("orphanDependents"),
            propagation_policy: text("propagationPolicy"),
            dry_run: text("dryRun").into_iter().collect(),
            ..client_rs_machinery::meta::v1::DeleteOptions::EMPTY
        })
    }
}

impl ListOptions {
    /// The state that a list must show.
    pub(crate) fn at(&self) -> Result<At, ApiError> {
        let revision = match self.resource_version.as_str() {
            "" | "0" => return Ok(At::Latest),
            text => text.parse::<u64>().map_err(|_| {
                ApiError::bad_request(format!(
                    "invalid resource version: resourceVersion: Invalid value: {text:?}: strconv.ParseUint: parsing \
                     {text:?}: invalid syntax"
                ))
            })?,
        };
        Ok(match self.version_match.as_str() {
            "Exact" => At::Exact(revision),
            // Without a match rule, a page shows exactly the given version, and a whole list that version or a
            // later one.
            "" if self.limit > 0 => At::Exact(revision),
            _ => At::NotOlderThan(revision),
        })
    }

    fn check(&self) -> Result<(), ApiError> {
        const MATCH: &str = "resourceVersionMatch";
        let mut errors = Vec::new();
        let rule = self.version_match.as_str();
        if self.watch && self.send_initial_events.is_some() {
            if rule != "NotOlderThan" {
                let why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
                errors.push(FieldError::forbidden(MATCH, why));
            }
        } else if self.watch {
            if !rule.is_empty() {
                let why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
                errors.push(FieldError::forbidden(MATCH, why));
            }
        } else if self.send_initial_events.is_some() {
            errors
                .push(FieldError::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        } else if !rule.is_empty() {
            if self.resource_version.is_empty() {
                let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
                errors.push(FieldError::forbidden(MATCH, why));
            }
            if !self.continue_token.is_empty() {
                let why = "resourceVersionMatch is forbidden when continue is provided";
                errors.push(FieldError::forbidden(MATCH, why));
            }
            if !matches!(rule, "Exact" | "NotOlderThan") {
                errors.push(FieldError::not_supported(MATCH, rule, &["Exact", "NotOlderThan", ""]));
            } else if rule == "Exact" && self.resource_version == "0" {
                let why = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
                errors.push(FieldError::forbidden(MATCH, why));
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(invalid("ListOptions", errors)) }
    }
}

/// The parameter for the field manager.
const FIELD_MANAGER: &str = "fieldManager";
/// The longest name of a manager, in bytes.
const FIELD_MANAGER_MAX: usize = 128;

/// Whether Go considers a character printable: not a control character, and no space except the plain one.
fn is_printable(letter: char) -> bool {
    letter == ' ' || !(letter.is_control() || letter.is_whitespace() || is_format(letter))
}

/// Format characters and non-characters.
fn is_format(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e000}'..='\u{f8ff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..)
}

/// A character as Go prints it: `U+0007`, with the character itself if it is printable.
fn shown_letter(letter: char) -> String {
    format!("U+{:04X}", u32::from(letter))
}

pub(crate) fn invalid(kind: &str, errors: Vec<FieldError>) -> ApiError {
    ApiError::invalid(&GroupKind::new("meta.k8s.io", kind), "", &FieldErrors(errors))
}
