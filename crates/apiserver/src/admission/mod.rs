//! Admission policies, and admission and conversion webhooks.
//!
//! The registry never waits. If a request needs a response that has not arrived yet, it adds a question to its
//! [`Session`] and fails before it writes anything. [`Webhooks::run_until_answered`] then calls all the webhooks
//! that were asked, at the same time, and runs the request again. Three properties follow. No lock is held during a
//! call. The webhooks reviewed exactly the state that is written. A request that no webhook matches has no extra
//! cost. Generated values (UIDs, names, times) are the same in each run.

mod client;
mod configuration;
mod conversion;
mod criteria;
mod invocation;
mod policy;
mod response;
mod reviews;
mod session;
mod versioned;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_machinery::{Json, json};
use futures_util::future::join_all;

use crate::custom::Converter;
use crate::object::ClientConfig;
use crate::outbound::Outbound;
use crate::registry::{Registry, new_uid};
use client::Clients;
use configuration::Configured;
use policy::Policies;
use session::{Answer, Question};

pub(crate) use session::{Requester, Session};

/// The timeout of a conversion.
const CONVERSION_MAX: Duration = Duration::from_secs(30);
/// How many times a request may run. Each webhook that changes an object needs another run, and each conflict
/// starts over.
const RUNS_MAX: usize = 1024;

/// The webhooks of a server.
#[derive(Debug, Default)]
pub(crate) struct Webhooks {
    /// No webhook is ever called, because the server is a fake.
    disabled: bool,
    clients: Clients,
    /// The configurations at the last check.
    configured: Mutex<Arc<Configured>>,
    /// The policies at the last check.
    policies: Mutex<Arc<Policies>>,
}

impl Webhooks {
    /// Webhooks that are called over these connections.
    pub(crate) fn new(outbound: Outbound) -> Self {
        Self { clients: Clients::new(outbound), ..Self::default() }
    }

    /// Webhooks that are never called.
    pub(crate) fn disabled() -> Self {
        Self { disabled: true, ..Self::default() }
    }

    /// Runs a request until it needs no more responses. Dropping the future cancels the request and its calls.
    pub(crate) async fn run_until_answered<T>(
        &self,
        registry: &Arc<Registry>,
        session: &Session,
        mut run: impl FnMut() -> T,
    ) -> T {
        for _ in 0..RUNS_MAX {
            session.begin();
            let result = run();
            let asked = session.asked();
            if asked.is_empty() {
                return result;
            }
            session.add_answers(self.answers(registry, asked).await);
        }
        session.begin();
        run()
    }

    /// The current configurations.
    fn configured(&self, registry: &Registry) -> Arc<Configured> {
        if self.disabled {
            return Arc::default();
        }
        let mut known = self.configured.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(newer) = Configured::newer(&known, registry) {
            *known = Arc::new(newer);
        }
        Arc::clone(&known)
    }

    /// The current policies.
    fn policies(&self, registry: &Registry) -> Arc<Policies> {
        if self.disabled {
            return Arc::default();
        }
        let mut known = self.policies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(newer) = Policies::newer(&known, registry) {
            *known = Arc::new(newer);
        }
        Arc::clone(&known)
    }

    /// Calls all webhooks concurrently. Conversions to one version by one webhook are combined into one call; if
    /// that fails, each object is converted separately.
    async fn answers(&self, registry: &Arc<Registry>, asked: Vec<Question>) -> Vec<(Question, Answer)> {
        let mut conversions: HashMap<(Arc<ClientConfig>, String), Vec<Question>> = HashMap::new();
        let mut reviews = Vec::new();
        for question in asked {
            match &question {
                Question::Review { .. } => reviews.push(question),
                Question::Convert { converter, desired, .. } => {
                    let group = (Arc::clone(&converter.client), desired.clone());
                    conversions.entry(group).or_default().push(question);
                }
            }
        }
        let reviews = join_all(reviews.into_iter().map(|question| self.review(registry, question)));
        let conversions = join_all(conversions.into_values().map(|group| self.convert(registry, group)));
        let (reviews, conversions) = tokio::join!(reviews, conversions);
        reviews.into_iter().chain(conversions.into_iter().flatten()).collect()
    }

    async fn review(&self, registry: &Arc<Registry>, question: Question) -> (Question, Answer) {
        let uid = new_uid();
        let Question::Review { client, version, timeout, request, .. } = &question else {
            return (question, Answer { uid, said: Err("the question is malformed".to_owned()) });
        };
        let mut request = Json::parse(request).unwrap_or_default();
        // It can't fail: the request is an object.
        let _ = request.set(&["uid"], uid.as_str());
        let review = json!({
            "kind": "AdmissionReview", "apiVersion": format!("admission.k8s.io/{version}"), "request": request,
        });
        let limit = Duration::from_secs((*timeout).into());
        let said = self.clients.post(registry, client, limit, &review).await;
        (question, Answer { uid, said })
    }

    async fn convert(&self, registry: &Arc<Registry>, group: Vec<Question>) -> Vec<(Question, Answer)> {
        let mut objects = Vec::with_capacity(group.len());
        let mut place = None;
        for question in &group {
            if let Question::Convert { converter, desired, object } = question {
                place.get_or_insert((Arc::clone(converter), desired.clone()));
                objects.push(Json::parse(object).unwrap_or_default());
            }
        }
        let Some((converter, desired)) = &place else { return Vec::new() };
        let made: Vec<Result<Json, String>> =
            match self.converted(registry, converter, desired, &objects).await {
                Ok(made) => made.into_iter().map(Ok).collect(),
                Err(why) if objects.len() == 1 => vec![Err(why)],
                // One call per object, as the real server does: so it finds the object that can't be converted.
                Err(_) => {
                    let singly = objects.into_iter().map(|object| async move {
                        let made = self.converted(registry, converter, desired, &[object]).await?;
                        made.into_iter().next().ok_or_else(|| "no object was returned".to_owned())
                    });
                    join_all(singly).await
                }
            };
        let answers = made.into_iter().map(|said| Answer { uid: String::new(), said });
        group.into_iter().zip(answers).collect()
    }

    async fn converted(
        &self,
        registry: &Arc<Registry>,
        converter: &Converter,
        desired: &str,
        objects: &[Json],
    ) -> Result<Vec<Json>, String> {
        let uid = new_uid();
        let review = conversion::review(converter, desired, &uid, objects)?;
        let said = self.clients.post(registry, &converter.client, CONVERSION_MAX, &review).await;
        conversion::converted(said, desired, &uid, objects)
    }
}
