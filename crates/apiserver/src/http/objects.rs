//! Requests about objects.

use std::sync::Arc;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::wire::{Message, from_envelope};
use client_rs_machinery::{ApiError, GroupResource, Json, StatusReason, Unstructured};
use http::{Method, Response};

use super::decode::{self, Decoded, Expected};
use super::encode::{self, Encoder};
use super::media::Encoding;
use super::metrics::RequestLabels;
use super::reply::{self, Body, Failure, Reply};
use super::{Api, Call, custom, generic, method_not_allowed, no_such_resource, not_implemented};
use crate::kinds::{Action, Connect, ConnectTo, Serves};
use crate::registry::{
    ListRequest, Listing, Live, Ownership, Part, Precondition, Selection, Served, Stored, is_built_in,
    too_large_version,
};
use crate::request::{FieldValidation, ListOptions, Target};

impl Api {
    pub(super) fn objects(
        self: &Arc<Self>,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Response<Body>, Failure> {
        let found = self.registry.catalog().find(target.group, target.version, target.resource);
        let Some(served) = &found else {
            // Only a built-in group responds with a `Status` object to an unknown resource.
            if is_built_in(target.group) {
                return Err(no_such_resource().into());
            }
            if self.registry.is_aggregated(target.group, Some(target.version)) {
                return Ok(super::unavailable().into_response(None));
            }
            return Ok(Reply::text(404, "404 page not found\n").into_response(None));
        };
        let mut call = call;
        let textual;
        if served.custom().is_some() {
            textual = Call { form: custom::form(call.accept, call.form.pretty)?, ..call.clone() };
            call = &textual;
        }
        let mut response = match self.dispatch(served, target, call) {
            Ok(response) => response,
            Err(failure) if served.rules.deprecation().is_some() => {
                Reply::failure(call.form, &failure).into_response(None)
            }
            Err(failure) => return Err(failure),
        };
        if let Some(warning) = served.rules.deprecation() {
            reply::warn(&mut response, warning);
            self.metrics.deprecated(RequestLabels {
                group: served.info.group.clone(),
                version: served.info.version.clone(),
                resource: served.info.plural.clone(),
                ..RequestLabels::default()
            });
        }
        Ok(response)
    }

    fn dispatch(
        self: &Arc<Self>,
        served: &Arc<Served>,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Response<Body>, Failure> {
        if served.rules.expires {
            self.controllers.expire_events(&self.registry);
        }
        let in_namespace = !target.namespace.is_empty();
        if in_namespace != served.info.namespaced {
            // A list can cover all namespaces; a single object needs its namespace.
            if in_namespace || !target.name.is_empty() {
                return match served.custom() {
                    Some(_) => Ok(Reply::text(404, "404 page not found\n").into_response(None)),
                    None => Err(no_such_resource().into()),
                };
            }
        }
        let reply = match (target.name, target.subresource) {
            ("", _) => return self.collection(served, target, call),
            (_, "") => return self.single(served, target, call),
            (_, "status") if served.has("status") => self.part(served, target, call, Part::Status)?,
            (_, sub) if served.has(sub) => match served.rules.subresource(sub).map(|sub| sub.serves) {
                Some(Serves::Part(rules)) => self.part(served, target, call, Part::Sub(rules))?,
                Some(Serves::Scale) => self.scale(served, target, call)?,
                Some(Serves::Post(post)) => self.post(served, target, post, call)?,
                Some(Serves::Connect(Connect { to: ConnectTo::Log, .. })) => {
                    self.log(served, target, call)?
                }
                Some(Serves::Connect(_)) | None => {
                    return Err(not_implemented(&format!("{}/{sub}", served.info.plural)).into());
                }
            },
            _ if served.custom().is_some() => {
                return Err(ApiError::not_found(&served.group_resource(), target.name).into());
            }
            _ => return Err(no_such_resource().into()),
        };
        Ok(reply.into_response(None))
    }

    fn collection(
        self: &Arc<Self>,
        served: &Arc<Served>,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Response<Body>, Failure> {
        let reply = match *call.method {
            Method::GET if served.can("list") => {
                let options = call.query.list_options()?;
                if let Some(computed) = served.rules.computed {
                    let reply = self.list_computed(served, computed, &options, call)?;
                    return Ok(reply.into_response(None));
                }
                if options.watch || target.watch {
                    return self.watch(served, target.namespace, &options, call);
                }
                if served.table.is_none() {
                    return Err(not_implemented(&format!("listing {}", served.info.plural)).into());
                }
                self.list(served, target, &options, call)?
            }
            Method::POST if served.can("create") && served.info.namespaced != target.namespace.is_empty() => {
                if let Some(Action::Post { plural, post }) = served.rules.action
                    && let Some(other) = self.registry.catalog().find("", "v1", plural)
                {
                    return Ok(self.post(&other, target, post, call)?.into_response(None));
                }
                let (options, validation) = call.query.write_options("CreateOptions")?;
                let decoded = self.decode(served, call, validation)?;
                if served.table.is_none() {
                    let reply = self.review(served, decoded.object, decoded.warnings, call)?;
                    return Ok(reply.into_response(None));
                }
                let manager = call.query.manager(call.user_agent);
                let ownership = self.ownership(served, "", call);
                let object = ownership.updated(None, decoded.object, &manager)?;
                self.check_rights(served, target, None, &object, call)?;
                let mut warnings = decoded.warnings;
                warnings.extend((served.rules.warnings)(&object, None));
                let created = self.registry.create(served, target.namespace, object, call.asking(options))?;
                self.object(201, served, &created, call)?.warned(warnings)
            }
            Method::DELETE if served.can("deletecollection") => {
                let options = call.query.list_options()?;
                let delete = delete_options(call)?;
                let selection = self.selection(served, &options)?;
                let request = list_request(target, &options, &selection, call)?;
                let listing = self.registry.delete_collection(served, &request, &delete, call.session)?;
                let listing = shown(served, &listing, call)?;
                Reply::new(200, call.form, self.encoder(served, call).list(&listing, selection.shard())?)
            }
            Method::PUT | Method::PATCH if served.custom().is_some() => {
                return Err(ApiError::bad_request("name must be provided").into());
            }
            _ => return Err(method_not_allowed().into()),
        };
        Ok(reply.into_response(None))
    }

    fn single(
        self: &Arc<Self>,
        served: &Arc<Served>,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Response<Body>, Failure> {
        // The real server does not check the name here.
        if served.custom().is_some() && call.method == Method::POST {
            return self.collection(served, target, call);
        }
        let (namespace, name) = (target.namespace, target.name);
        let reply = match *call.method {
            Method::GET if served.can("get") && target.watch => {
                let mut options = call.query.list_options()?;
                options.fields = format!("metadata.name={name}");
                return self.watch(served, namespace, &options, call);
            }
            Method::GET if served.can("get") => {
                let asked = call.query.get("resourceVersion").parse::<u64>().unwrap_or(0);
                let current = self.registry.revision();
                if asked > current {
                    return Err(too_large_version(asked, current).into());
                }
                if let Some(computed) = served.rules.computed {
                    let found = computed_objects(computed).find(|object| object.object.name() == name);
                    let singular = GroupResource::new(served.info.group.as_str(), &*served.info.singular);
                    let found = found.ok_or_else(|| ApiError::not_found(&singular, name))?;
                    return Ok(self.object(200, served, &found, call)?.into_response(None));
                }
                if served.table.is_none() {
                    return Err(not_implemented(&format!("reading {}", served.info.plural)).into());
                }
                let found = self.registry.get(served, namespace, name)?;
                self.object(200, served, &found.stored, call)?
            }
            Method::PUT if served.can("update") => self.put(served, target, call, Part::Whole)?,
            Method::PATCH if served.can("patch") => self.patch(served, target, call, Part::Whole)?,
            Method::DELETE if served.can("delete") => {
                let options = delete_options(call)?;
                let session = Some(call.session);
                let deleted = self.registry.delete(served, namespace, name, &options, session)?;
                if deleted.gone && !served.rules.delete.returns_object {
                    let status = encode::success(served, &deleted.object);
                    Reply::new(200, call.form, encode::plain(call.form, &status)?)
                } else {
                    let accepted = !deleted.gone && options.orphan_dependents == Some(false);
                    self.object(if accepted { 202 } else { 200 }, served, &deleted.object, call)?
                }
            }
            _ => return Err(method_not_allowed().into()),
        };
        Ok(reply.into_response(None))
    }

    fn part(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
        part: Part,
    ) -> Result<Reply, Failure> {
        let sub = served.info.subresources.iter().find(|sub| sub.name == target.subresource);
        let can = |verb: &str| sub.is_some_and(|sub| sub.verbs.contains(&verb));
        match *call.method {
            Method::GET if can("get") => {
                let found = self.registry.get(served, target.namespace, target.name)?;
                self.object(200, served, &found.stored, call)
            }
            Method::PUT if can("update") => self.put(served, target, call, part),
            Method::PATCH if can("patch") => self.patch(served, target, call, part),
            _ => Err(method_not_allowed().into()),
        }
    }

    fn put(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
        part: Part,
    ) -> Result<Reply, Failure> {
        let (options, validation) = call.query.write_options("UpdateOptions")?;
        let Decoded { object, mut warnings } = self.decode(served, call, validation)?;
        check_name(&object, target.name)?;
        let manager = call.query.manager(call.user_agent);
        let ownership = self.ownership(served, target.subresource, call);
        let options = call.asking(options);
        let mut own = Vec::new();
        let mut make = |stored: Option<&Stored>| {
            if stored.is_none() {
                self.may_create(served, target, call)?;
            }
            own = (served.rules.warnings)(&object, stored.map(|stored| &stored.object));
            let old = stored.map(|stored| &stored.object);
            self.check_rights(served, target, old, &object, call)?;
            ownership.updated(stored.map(Live::Stored), object.clone(), &manager)
        };
        let (namespace, name) = (target.namespace, target.name);
        let (stored, created) =
            self.registry.update(served, namespace, name, part, Precondition::SameUid, options, &mut make)?;
        let code = if created { 201 } else { 200 };
        warnings.extend(own);
        Ok(self.object(code, served, &stored, call)?.warned(warnings))
    }

    fn list(
        &self,
        served: &Served,
        target: &Target<'_>,
        options: &ListOptions,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let selection = self.selection(served, options)?;
        let request = list_request(target, options, &selection, call)?;
        let listing = self.registry.list(served, &request)?;
        let listing = shown(served, &listing, call)?;
        Ok(Reply::new(200, call.form, self.encoder(served, call).list(&listing, selection.shard())?))
    }

    /// The objects that a list or a watch selects. As on the real server, a shard is ignored unless the feature is on.
    pub(super) fn selection(&self, served: &Served, options: &ListOptions) -> Result<Selection, ApiError> {
        let selection = Selection::parse(served, &options.labels, &options.fields)?;
        if self.registry.options().shards { selection.with_shard(&options.shard) } else { Ok(selection) }
    }

    /// A list of objects that are computed.
    fn list_computed(
        &self,
        served: &Served,
        computed: fn() -> Vec<Json>,
        options: &ListOptions,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        if options.watch {
            return Err(ApiError::method_not_supported(&served.group_resource(), "watch").into());
        }
        let selection = self.selection(served, options)?;
        let selected = computed_objects(computed).filter(|stored| selection.matches(served, &stored.object));
        let listing = Listing {
            items: selected.collect(),
            revision: 0,
            continue_token: String::new(),
            remaining: None,
        };
        Ok(Reply::new(200, call.form, self.encoder(served, call).list(&listing, selection.shard())?))
    }

    /// The field ownership of a resource, for a write to this subresource.
    pub(super) fn ownership<'a>(
        &'a self,
        served: &'a Served,
        subresource: &'a str,
        call: &'a Call<'_>,
    ) -> Ownership<'a> {
        Ownership::new(self.registry.catalog(), served, subresource, call.session.now(), Some(call.session))
    }

    pub(super) fn encoder<'a>(&self, served: &'a Served, call: &'a Call<'_>) -> Encoder<'a> {
        Encoder {
            served,
            form: call.form,
            now: self.registry.clock().now(),
            include: call.query.get("includeObject"),
        }
    }

    pub(super) fn object(
        &self,
        code: u16,
        served: &Served,
        stored: &Arc<Stored>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let shown = served.shown(stored, Some(call.session))?;
        Ok(Reply::new(code, call.form, self.encoder(served, call).object(&shown)?))
    }

    fn decode(
        &self,
        served: &Served,
        call: &Call<'_>,
        validation: FieldValidation,
    ) -> Result<Decoded, ApiError> {
        if let Some(custom) = served.custom() {
            return custom::decode(served, custom, encoding(call)?, &call.body, validation);
        }
        let api_version = served.api_version();
        let kind = served.kind.ok_or_else(no_such_resource)?;
        let expected = Expected { scheme: &self.scheme, api_version: &api_version, kind, validation };
        let mut decoded = expected.decode(encoding(call)?, &call.body)?;
        decoded.object = served.completed(decoded.object);
        Ok(decoded)
    }
}

fn computed_objects(computed: fn() -> Vec<Json>) -> impl Iterator<Item = Arc<Stored>> {
    let objects = computed().into_iter().filter_map(|object| Unstructured::try_from(object).ok());
    objects.map(|object| Arc::new(Stored::new(object)))
}

fn list_request<'a>(
    target: &'a Target<'_>,
    options: &'a ListOptions,
    selection: &'a Selection,
    call: &'a Call<'_>,
) -> Result<ListRequest<'a>, ApiError> {
    Ok(ListRequest {
        namespace: target.namespace,
        selection,
        limit: options.limit,
        continue_token: &options.continue_token,
        at: options.at()?,
        session: Some(call.session),
    })
}

/// Converts a list to the served version. All conversions are requested at the same time.
pub(super) fn shown(served: &Served, listing: &Listing, call: &Call<'_>) -> Result<Listing, ApiError> {
    let mut items = Vec::with_capacity(listing.items.len());
    let mut unshown = None;
    for item in &listing.items {
        match served.shown(item, Some(call.session)) {
            Ok(shown) => items.push(shown),
            Err(error) => drop(unshown.get_or_insert(error)),
        }
    }
    match unshown {
        None => Ok(Listing {
            items,
            revision: listing.revision,
            continue_token: listing.continue_token.clone(),
            remaining: listing.remaining,
        }),
        Some(error) => Err(error.listed(&served.group_resource().to_string())),
    }
}

fn delete_options(call: &Call<'_>) -> Result<DeleteOptions, ApiError> {
    let from_query = call.query.delete_options()?;
    if call.body.is_empty() {
        return check_dry_run(from_query);
    }
    let bad = |why: String| ApiError::bad_request(why);
    let options = match encoding(call)? {
        Encoding::Protobuf => from_envelope(&call.body).map_err(|error| bad(error.to_string()))?,
        Encoding::Json => DeleteOptions::from_json(&call.body).map_err(|error| bad(error.to_string()))?,
        Encoding::Yaml => {
            let json = decode::yaml_to_json(&call.body).map_err(bad)?;
            DeleteOptions::from_json(&json).map_err(|error| bad(error.to_string()))?
        }
    };
    check_dry_run(options)
}

fn check_dry_run(options: DeleteOptions) -> Result<DeleteOptions, ApiError> {
    match options.dry_run.iter().find(|value| value.as_str() != "All") {
        None => Ok(options),
        Some(other) => {
            let error = client_rs_machinery::FieldError::not_supported("dryRun", other, &["All"]);
            Err(crate::request::invalid("DeleteOptions", vec![error]))
        }
    }
}

/// Checks that the object has the name in the path.
pub(super) fn check_name(object: &Unstructured, name: &str) -> Result<(), ApiError> {
    if object.name().is_empty() {
        let why = "was undeterminable: name must be provided";
        return Err(ApiError::bad_request(format!("the name of the object ({name} based on URL) {why}")));
    }
    if object.name() == name {
        return Ok(());
    }
    let found = object.name();
    let why = format!("the name of the object ({found}) does not match the name on the URL ({name})");
    Err(ApiError::bad_request(why))
}

/// The encoding of a request body.
pub(super) fn encoding(call: &Call<'_>) -> Result<Encoding, ApiError> {
    Encoding::of_content_type(call.content_type).ok_or_else(|| {
        let mut status = generic(
            415,
            StatusReason::UnsupportedMediaType,
            "the body of the request was in an unknown format - accepted media types include: application/json, \
             application/yaml, application/vnd.kubernetes.protobuf",
        )
        .into_status();
        status.details = None;
        status.into()
    })
}
