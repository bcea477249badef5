//! The registry as the rules of a kind see it during a write.

use client_rs_machinery::{Json, Unstructured};

use super::create::random_suffix;
use super::{Admission, Registry, WriteOptions};
use crate::kinds::shared::addresses::AddressRange;
use crate::kinds::{AdmissionPlugin, WriteContext};
use crate::store::Range;

/// The context of a write.
pub(super) struct Context<'a> {
    pub(super) registry: &'a Registry,
    pub(super) options: WriteOptions<'a>,
}

impl WriteContext for Context<'_> {
    fn find(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Unstructured> {
        let served = self.registry.catalog().find(group, "v1", plural)?;
        self.registry.find(&served, namespace, name).map(|found| found.stored.object.clone())
    }

    fn each(&self, group: &str, plural: &str, see: &mut dyn FnMut(&Unstructured)) {
        let served = self.registry.catalog().find(group, "v1", plural);
        let Some(table) = served.and_then(|served| served.table) else { return };
        let state = self.registry.read();
        let all = state.store.scan(table, Range { prefix: "", from: "" }, u64::MAX);
        all.into_iter().flatten().for_each(|(_, _, stored)| see(&stored.object));
    }

    fn each_in(&self, group: &str, plural: &str, namespace: &str, see: &mut dyn FnMut(&Unstructured)) {
        let served = self.registry.catalog().find(group, "v1", plural);
        let Some(table) = served.and_then(|served| served.table) else { return };
        let prefix = format!("{namespace}/");
        let state = self.registry.read();
        let all = state.store.scan(table, Range { prefix: &prefix, from: "" }, u64::MAX);
        all.into_iter().flatten().for_each(|(_, _, stored)| see(&stored.object));
    }

    fn warn(&self, text: &str) {
        if let Some(session) = self.options.session {
            session.warn(text);
        }
    }

    fn mounts_tokens(&self) -> bool {
        self.registry.options.populates || self.registry.options.alone
    }

    fn runs(&self, plugin: AdmissionPlugin) -> bool {
        self.registry.options.runs(plugin)
    }

    fn service_range(&self) -> AddressRange {
        self.registry.options.service_range
    }

    fn author(&self) -> Option<Json> {
        self.options.session.map(Admission::author)
    }

    fn suffix(&self, purpose: &str) -> String {
        self.options.keep(purpose, random_suffix)
    }
}
