//! For tests: a cluster that is a map of objects. Plans are applied to it at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_api::core::v1::{ContainerState, ContainerStateTerminated, ContainerStatus, Pod, PodCondition};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Object, ObjectKey, Time, Unstructured};

use crate::kind::{Kind, POD};
use crate::plan::{Plan, Step};
use crate::pods::tests::at;

#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) objects: BTreeMap<(&'static str, ObjectKey), Unstructured>,
    /// The reasons of the events, notes of creations and deletions included.
    pub(crate) reasons: Vec<&'static str>,
    made: usize,
    pub(crate) second: i64,
}

impl Model {
    pub(crate) fn now(&self) -> Time {
        at(self.second)
    }

    /// Applies a plan. True if it changed something.
    pub(crate) fn apply(&mut self, plan: Plan) -> bool {
        let mut changed = false;
        for step in plan.steps {
            match step {
                Step::Create { of, mut object, note } => {
                    self.made += 1;
                    if object.name().is_empty() {
                        object.set_name(format!("{}{:03}", object.generate_name(), self.made));
                    }
                    object.set_uid(format!("uid-{}", self.made));
                    object.set_creation_timestamp(Some(self.now()));
                    let before = self.objects.insert((of.name, object.key()), object);
                    assert!(before.is_none(), "{before:?} exists");
                    self.reasons.extend(note.map(|note| note.reason));
                    changed = true;
                }
                Step::Update { of, object, .. } | Step::Adopt { of, object } => {
                    let ends = object.deletion_timestamp().is_some() && object.finalizers().next().is_none();
                    let key = (of.name, object.key());
                    if ends {
                        self.objects.remove(&key);
                    } else {
                        self.objects.insert(key, object);
                    }
                    changed = true;
                }
                Step::Delete { of, key, note, .. } => {
                    self.remove(of, &key);
                    self.reasons.extend(note.map(|note| note.reason));
                    changed = true;
                }
                Step::Tell(note) => self.reasons.push(note.reason),
            }
        }
        changed
    }

    /// Deletes an object: it stays if it has finalizers.
    pub(crate) fn remove(&mut self, of: &Kind, key: &ObjectKey) {
        let now = self.now();
        let place = (of.name, key.clone());
        match self.objects.get_mut(&place) {
            Some(object) if object.finalizers().next().is_some() => object.set_deletion_timestamp(Some(now)),
            _ => drop(self.objects.remove(&place)),
        }
    }

    pub(crate) fn put<M: Message>(&mut self, of: &'static Kind, object: &M) {
        let object = Unstructured::from_message(object).unwrap();
        self.objects.insert((of.name, object.key()), object);
    }

    pub(crate) fn all<M: Message>(&self, of: &Kind) -> Vec<Arc<M>> {
        let of_kind = self.objects.iter().filter(|((kind, _), _)| *kind == of.name);
        of_kind.map(|(_, object)| Arc::new(object.to_message().unwrap())).collect()
    }

    pub(crate) fn pods(&self) -> Vec<Arc<Pod>> {
        self.all(&POD)
    }

    pub(crate) fn names(&self, of: &Kind) -> Vec<String> {
        let of_kind = self.objects.iter().filter(|((kind, _), _)| *kind == of.name);
        of_kind.map(|(_, object)| object.name().to_owned()).collect()
    }

    /// Changes each pod.
    pub(crate) fn each_pod(&mut self, change: impl Fn(&mut Pod)) {
        for pod in self.pods() {
            let mut pod = Pod::clone(&pod);
            change(&mut pod);
            self.put(&POD, &pod);
        }
    }

    /// All pods become ready now, unless they are over.
    pub(crate) fn ready(&mut self) {
        let now = self.now();
        self.each_pod(|pod| {
            if crate::pods::is_active(pod) && !crate::pods::is_ready(pod) {
                let status = &mut pod.status;
                status.phase = "Running".into();
                status.conditions = [PodCondition {
                    type_: "Ready".into(),
                    status: "True".into(),
                    last_transition_time: Some(now),
                    ..PodCondition::EMPTY
                }]
                .into();
            }
        });
    }

    /// The pods that `which` is true for end with an exit code.
    pub(crate) fn end(&mut self, code: i32, which: impl Fn(&Pod) -> bool) {
        let now = self.now();
        self.each_pod(|pod| {
            if crate::pods::is_finished(pod) || !which(pod) {
                return;
            }
            let status = &mut pod.status;
            status.phase = if code == 0 { "Succeeded" } else { "Failed" }.into();
            let terminated = ContainerStateTerminated {
                exit_code: code,
                finished_at: Some(now),
                ..ContainerStateTerminated::EMPTY
            };
            status.container_statuses = [ContainerStatus {
                name: "main".into(),
                state: ContainerState { terminated: Some(terminated.into()), ..ContainerState::EMPTY },
                ..ContainerStatus::EMPTY
            }]
            .into();
        });
    }
}
