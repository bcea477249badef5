//! Subresources with their own objects: actions of a POST, and logs.

use client_rs_machinery::meta::v1::{DeleteOptions, Status};
use client_rs_machinery::{ApiError, GroupResource, Time, Unstructured};
use http::Method;

use super::decode::Expected;
use super::objects::{check_name, encoding};
use super::reply::{Failure, Reply};
use super::{Api, Call, encode, method_not_allowed, not_implemented};
use crate::kinds::{Change, Claims, PartRules, Post, PostContext, Posted};
use crate::registry::{
    ListRequest, Operation, Part, Precondition, Selection, Served, Stored, Subject, WriteOptions,
};
use crate::request::Target;

impl Api {
    /// Handles a POST to a subresource.
    pub(super) fn post(
        &self,
        served: &Served,
        target: &Target<'_>,
        post: &Post,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        if call.method != Method::POST {
            return Err(method_not_allowed().into());
        }
        let (options, mut object) = self.posted(served, target, post, call)?;
        if post.named && !target.name.is_empty() {
            if object.name().is_empty() {
                object.set_name(target.name);
            }
            check_name(&object, target.name)?;
        }
        let context = Context { api: self, served, target, options };
        match (post.run)(object, &context)? {
            Posted::Done => {
                let status = Status { status: Status::SUCCESS.into(), code: 201, ..Status::EMPTY };
                Ok(Reply::new(201, call.form, encode::plain(call.form, &status)?))
            }
            Posted::Object(object) => {
                let kind = self.posted_kind(post)?;
                let object = crate::registry::typed(kind, &object).map_err(ApiError::internal_error)?;
                Ok(Reply::new(201, call.form, encode::plain(call.form, &*object)?))
            }
        }
    }

    fn posted_kind(&self, post: &Post) -> Result<client_rs_machinery::Kind, ApiError> {
        let found = self.scheme.find(post.api_version, post.kind);
        found.ok_or_else(|| not_implemented(&format!("{} without its group", post.kind)))
    }

    /// The posted object, after the webhooks.
    fn posted(
        &self,
        served: &Served,
        target: &Target<'_>,
        post: &Post,
        call: &Call<'_>,
    ) -> Result<(WriteOptions<'static>, Unstructured), ApiError> {
        let Post { api_version, kind, .. } = *post;
        let found = self.posted_kind(post)?;
        let (options, validation) = call.query.write_options("CreateOptions")?;
        let expected = Expected { scheme: &self.scheme, api_version, kind: found, validation };
        let mut object = expected.decode(encoding(call)?, &call.body)?.object;
        if !target.subresource.is_empty() {
            let subject = Subject {
                served,
                kind: Some((api_version, kind)),
                operation: Operation::Create,
                namespace: target.namespace,
                dry_run: options.dry_run,
                options: None,
            };
            call.session.mutate(&subject, &mut object, None)?;
            call.session.validate(&subject, &object, None)?;
            call.session.check_answered()?;
        }
        Ok((options, object))
    }

    /// Handles `pods/NAME/log`. Only containers on a node with a kubelet have logs.
    pub(super) fn log(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        if call.method != Method::GET {
            return Err(method_not_allowed().into());
        }
        let pod = self.registry.get(served, target.namespace, target.name)?.stored;
        super::relay::container(&pod.object, call.query.get("container"))?;
        Ok(Reply::text(200, ""))
    }
}

/// The context of a POST, for the rules of its kind.
struct Context<'a> {
    api: &'a Api,
    /// The resource that has the subresource.
    served: &'a Served,
    target: &'a Target<'a>,
    options: WriteOptions<'static>,
}

impl Context<'_> {
    fn write(
        &self,
        served: &Served,
        name: &str,
        part: Part,
        change: &mut Change<'_>,
    ) -> Result<(), ApiError> {
        let mut make =
            |stored: Option<&Stored>| change(stored.map(|stored| stored.object.clone()).unwrap_or_default());
        let (namespace, precondition) = (self.target.namespace, Precondition::None);
        self.api.registry.update(served, namespace, name, part, precondition, self.options, &mut make)?;
        Ok(())
    }
}

impl PostContext for Context<'_> {
    fn namespace(&self) -> &str {
        self.target.namespace
    }

    fn name(&self) -> &str {
        self.target.name
    }

    fn now(&self) -> Time {
        self.api.registry.clock().now()
    }

    fn is_dry_run(&self) -> bool {
        self.options.dry_run
    }

    fn get(&self) -> Result<Unstructured, ApiError> {
        let found = self.api.registry.get(self.served, self.target.namespace, self.target.name)?;
        Ok(found.stored.object.clone())
    }

    fn update(&self, name: &str, change: &mut Change<'_>) -> Result<(), ApiError> {
        self.write(self.served, name, Part::Sub(&PartRules::OWN), change)
    }

    fn delete(&self, options: &DeleteOptions) -> Result<(), ApiError> {
        let Target { namespace, name, .. } = *self.target;
        self.api.registry.delete(self.served, namespace, name, options, None)?;
        Ok(())
    }

    fn find(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Unstructured> {
        let served = self.api.registry.catalog().find(group, "v1", plural)?;
        self.api.registry.find(&served, namespace, name).map(|found| found.stored.object.clone())
    }

    fn list(&self, group: &str, plural: &str) -> Vec<Unstructured> {
        let Some(served) = self.api.registry.catalog().find(group, "v1", plural) else { return Vec::new() };
        let everything = Selection::default();
        let listing = self.api.registry.list(&served, &ListRequest::all(self.target.namespace, &everything));
        let items = listing.map(|listing| listing.items).unwrap_or_default();
        items.iter().map(|item| item.object.clone()).collect()
    }

    fn update_status(
        &self,
        group: &str,
        plural: &str,
        name: &str,
        change: &mut Change<'_>,
    ) -> Result<(), ApiError> {
        let served = self.api.registry.catalog().find(group, "v1", plural);
        let served = served.ok_or_else(|| ApiError::not_found(&GroupResource::new(group, plural), name))?;
        self.write(&served, name, Part::Status, change)
    }

    fn bound_object(&self, kind: &str, name: &str) -> Result<(GroupResource, Unstructured), ApiError> {
        let served = self.api.registry.catalog().of_kind("v1", kind);
        let served = served.filter(|served| served.rules.binds_tokens).ok_or_else(|| {
            ApiError::bad_request(format!("cannot bind token for serviceaccount to object of kind {kind:?}"))
        })?;
        let namespace = if served.info.namespaced { self.target.namespace } else { "" };
        let found = self.api.registry.get(&served, namespace, name)?.stored;
        Ok((served.group_resource(), found.object.clone()))
    }

    fn audiences(&self) -> &[String] {
        self.api.gate.tokens.audiences()
    }

    fn issue_token(&self, claims: &Claims) -> String {
        self.api.gate.tokens.issue(claims)
    }
}
