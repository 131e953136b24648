//! The facts about a call that follow from its behaviour.

use super::{Behavior, Method};
use crate::options::v1 as options;

impl Method {
    /// The security event that its behaviour has by itself.
    pub(super) fn own_event(&self) -> options::SecurityEvent {
        match &self.behavior {
            Behavior::List(list) if list.search.is_some() => options::SecurityEvent::Searched,
            Behavior::Journal(_) | Behavior::ExportPerson(_) => options::SecurityEvent::Exported,
            Behavior::Watch(watch) if watch.aggregate.is_empty() => options::SecurityEvent::Exported,
            Behavior::Custom(custom) if custom.reads && self.answers_stream(custom) => options::SecurityEvent::Exported,
            _ => options::SecurityEvent::Unspecified,
        }
    }

    /// Whether a custom call answers a stream: of messages, or of bytes.
    #[must_use]
    pub fn answers_stream(&self, custom: &options::Custom) -> bool {
        custom.stream || self.bytes.as_ref().is_some_and(|bytes| bytes.download.is_some())
    }

    /// Whether the call writes nothing.
    #[must_use]
    pub fn reads(&self) -> bool {
        match &self.behavior {
            Behavior::Get(_)
            | Behavior::List(_)
            | Behavior::Batch(_)
            | Behavior::Journal(_)
            | Behavior::MaxClock(_)
            | Behavior::Watch(_)
            | Behavior::Health(_)
            | Behavior::Titles(_)
            | Behavior::ExportPerson(_)
            | Behavior::RedactPerson(_)
            | Behavior::ReadWorkers(_)
            | Behavior::OrderWorker(_) => true,
            Behavior::Custom(custom) => custom.reads,
            Behavior::Create(_) | Behavior::Change(_) | Behavior::Delete(_) => false,
        }
    }

    /// Full name of the call's aggregate: the one that it names, or else its answer.
    #[must_use]
    pub fn about(&self) -> String {
        let named = match &self.behavior {
            Behavior::Get(get) => &get.aggregate,
            Behavior::List(list) => &list.aggregate,
            Behavior::Batch(batch) => &batch.aggregate,
            Behavior::Change(change) => &change.aggregate,
            Behavior::Watch(watch) => &watch.aggregate,
            Behavior::Custom(custom) => &custom.aggregate,
            _ => "",
        };
        let package = self.descriptor.parent_service().package_name().to_owned();
        if named.is_empty() { self.output().full_name().to_owned() } else { format!("{package}.{named}") }
    }

    /// The journal actions that it may write, the most frequent first; none for a read.
    #[must_use]
    pub fn actions(&self) -> Vec<&str> {
        let (action, actions) = match &self.behavior {
            Behavior::Create(create) => (&create.action, &create.actions),
            Behavior::Change(change) => (&change.action, &change.actions),
            Behavior::Delete(delete) => (&delete.action, &delete.actions),
            Behavior::Custom(custom) => (&custom.action, &custom.actions),
            _ => return Vec::new(),
        };
        let upsert = match &self.behavior {
            Behavior::Create(create) => create.upsert.as_ref().map(|upsert| &upsert.action),
            _ => None,
        };
        let steps = self.step_actions();
        [action]
            .into_iter()
            .chain(actions)
            .chain(upsert)
            .map(String::as_str)
            .chain(steps)
            .filter(|action| !action.is_empty())
            .collect()
    }

    /// The journal actions of its steps that are others than its own, each once.
    #[must_use]
    pub fn step_actions(&self) -> Vec<&str> {
        let Behavior::Change(change) = &self.behavior else { return Vec::new() };
        let mut found: Vec<&str> = change.steps.iter().map(|step| step.action.as_str()).collect();
        found.retain(|action| !action.is_empty());
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The request fields that must equal the fields of the same names of the call's aggregate.
    #[must_use]
    pub fn scope(&self) -> &[String] {
        match &self.behavior {
            Behavior::Get(get) => &get.scope,
            Behavior::Batch(batch) => &batch.scope,
            Behavior::Change(change) => &change.scope,
            Behavior::Delete(delete) => &delete.scope,
            Behavior::Custom(custom) => &custom.scope,
            _ => &[],
        }
    }

    /// The declared reasons for which it may refuse, besides the shared ones.
    #[must_use]
    pub fn reasons(&self) -> &[String] {
        match &self.behavior {
            Behavior::Create(create) => &create.reasons,
            Behavior::Change(change) => &change.reasons,
            Behavior::Delete(delete) => &delete.reasons,
            Behavior::Custom(custom) => &custom.reasons,
            _ => &[],
        }
    }

    /// Whether the call has a pure edit in Rust.
    #[must_use]
    pub fn edits(&self) -> bool {
        match &self.behavior {
            Behavior::Create(create) => create.edit,
            Behavior::Change(change) => change.edit,
            _ => false,
        }
    }

    /// Whether Rust checks the request of a declared write against other entities.
    #[must_use]
    pub fn checks(&self) -> bool {
        match &self.behavior {
            Behavior::Create(create) => create.checks,
            Behavior::Change(change) => change.checks,
            _ => false,
        }
    }

    /// Whether the generator writes the whole call.
    #[must_use]
    pub fn declared(&self) -> bool {
        !matches!(self.behavior, Behavior::Custom(_))
    }
}
