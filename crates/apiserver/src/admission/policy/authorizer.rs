//! The variable `authorizer` of expressions: questions to the server's own authorizer.

use std::sync::Arc;

use client_rs_cel::{EvalError, Host, Value};
use client_rs_machinery::validation;

use crate::access::{Access, Attributes, ResourceAttributes};
use crate::admission::session::Session;
use crate::registry::{Registry, Subject};
use crate::request::User;

type Outcome = Option<Result<Value, EvalError>>;

impl Session {
    /// The authorizer of a request's expressions.
    pub(in crate::admission) fn authorizer(&self, subject: &Subject<'_>, name: &str) -> Value {
        let info = &subject.served.info;
        let resource = ResourceAttributes {
            group: info.group.to_string(),
            resource: info.plural.to_string(),
            subresource: self.requester.subresource.to_string(),
            namespace: subject.namespace.to_owned(),
            name: name.to_owned(),
        };
        let asker = Asker {
            registry: Arc::clone(&self.registry),
            access: self.requester.access,
            user: self.requester.user.clone(),
        };
        Value::host(Arc::new(Authorizer { asker: Arc::new(asker), resource: Some(resource) }))
    }
}

/// Asks for a user.
#[derive(Debug)]
struct Asker {
    registry: Arc<Registry>,
    access: Access,
    user: User,
}

impl Asker {
    fn ask(&self, verb: &str, resource: Option<ResourceAttributes>, path: &str) -> Value {
        let asked = Attributes { verb: verb.to_owned(), resource, path: path.to_owned() };
        let decision = self.access.decide(&self.registry, &self.user, &asked);
        Value::host(Arc::new(Decision { allowed: decision.allowed, reason: decision.reason }))
    }
}

/// `authorizer`.
#[derive(Debug)]
struct Authorizer {
    asker: Arc<Asker>,
    /// The resource of the request; `None` for another user's authorizer.
    resource: Option<ResourceAttributes>,
}

/// `authorizer.path('/healthz')`.
#[derive(Debug)]
struct PathCheck {
    asker: Arc<Asker>,
    path: String,
}

/// `authorizer.group('apps')`.
#[derive(Debug)]
struct GroupCheck {
    asker: Arc<Asker>,
    group: String,
}

/// `authorizer.group('apps').resource('deployments')`.
#[derive(Debug)]
struct ResourceCheck {
    asker: Arc<Asker>,
    resource: ResourceAttributes,
}

/// The answer to a question.
#[derive(Debug)]
struct Decision {
    allowed: bool,
    reason: String,
}

fn failed(why: &str) -> Result<Value, EvalError> {
    Err(EvalError::Failed(why.to_owned()))
}

impl Host for Authorizer {
    fn type_name(&self) -> &'static str {
        "kubernetes.authorization.Authorizer"
    }

    fn field(&self, name: &str) -> Outcome {
        let resource = self.resource.clone().filter(|_| name == "requestResource")?;
        let asker = Arc::clone(&self.asker);
        Some(Ok(Value::host(Arc::new(ResourceCheck { asker, resource }))))
    }

    fn method(&self, function: &str, args: &[Value]) -> Outcome {
        let asker = Arc::clone(&self.asker);
        match (function, args) {
            ("path", [Value::Text(path)]) => {
                if path.trim().is_empty() {
                    return Some(failed("path must not be empty"));
                }
                Some(Ok(Value::host(Arc::new(PathCheck { asker, path: path.to_string() }))))
            }
            ("group", [Value::Text(group)]) => {
                Some(Ok(Value::host(Arc::new(GroupCheck { asker, group: group.to_string() }))))
            }
            ("serviceAccount", [Value::Text(namespace), Value::Text(name)]) => {
                if validation::dns1123_subdomain(name).is_err() {
                    return Some(failed("Invalid service account name"));
                }
                if validation::dns1123_label(namespace).is_err() {
                    return Some(failed("Invalid service account namespace"));
                }
                let asker = Asker {
                    registry: Arc::clone(&asker.registry),
                    access: asker.access,
                    user: User::service_account(namespace, name),
                };
                Some(Ok(Value::host(Arc::new(Self { asker: Arc::new(asker), resource: None }))))
            }
            _ => None,
        }
    }
}

impl Host for PathCheck {
    fn type_name(&self) -> &'static str {
        "kubernetes.authorization.PathCheck"
    }

    fn method(&self, function: &str, args: &[Value]) -> Outcome {
        match (function, args) {
            ("check", [Value::Text(verb)]) => Some(Ok(self.asker.ask(verb, None, &self.path))),
            _ => None,
        }
    }
}

impl Host for GroupCheck {
    fn type_name(&self) -> &'static str {
        "kubernetes.authorization.GroupCheck"
    }

    fn method(&self, function: &str, args: &[Value]) -> Outcome {
        let ("resource", [Value::Text(resource)]) = (function, args) else { return None };
        if resource.trim().is_empty() {
            return Some(failed("resource must not be empty"));
        }
        let resource = ResourceAttributes {
            group: self.group.clone(),
            resource: resource.to_string(),
            ..ResourceAttributes::default()
        };
        Some(Ok(Value::host(Arc::new(ResourceCheck { asker: Arc::clone(&self.asker), resource }))))
    }
}

impl Host for ResourceCheck {
    fn type_name(&self) -> &'static str {
        "kubernetes.authorization.ResourceCheck"
    }

    fn method(&self, function: &str, args: &[Value]) -> Outcome {
        let [Value::Text(text)] = args else { return None };
        let mut resource = self.resource.clone();
        match function {
            "check" => return Some(Ok(self.asker.ask(text, Some(resource), ""))),
            "subresource" => resource.subresource = text.to_string(),
            "namespace" => resource.namespace = text.to_string(),
            "name" => resource.name = text.to_string(),
            // Roles do not depend on selectors.
            "fieldSelector" | "labelSelector" => {}
            _ => return None,
        }
        Some(Ok(Value::host(Arc::new(Self { asker: Arc::clone(&self.asker), resource }))))
    }
}

impl Host for Decision {
    fn type_name(&self) -> &'static str {
        "kubernetes.authorization.Decision"
    }

    fn method(&self, function: &str, args: &[Value]) -> Outcome {
        if !args.is_empty() {
            return None;
        }
        Some(Ok(match function {
            "allowed" => Value::Bool(self.allowed),
            "reason" => Value::text(self.reason.as_str()),
            // A question to roles always has an answer.
            "errored" => Value::Bool(false),
            "error" => Value::text(""),
            _ => return None,
        }))
    }
}
