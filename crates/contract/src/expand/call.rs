//! The behaviour of a call: its entity, the field that names it, and the statuses it is about.

use prost_reflect::{
    DynamicMessage, ExtensionDescriptor, FieldDescriptor, MethodDescriptor, ReflectMessage as _, Value,
};

use super::aggregate::{Aggregate, Aggregates};
use super::rate_limit::Kinds;
use super::read;

/// The numbers of ANSWERS_ONE and ANSWERS_MANY.
const ONE: i32 = 1;
const MANY: i32 = 2;
/// The number of the realm of programs.
const MACHINE: i32 = 2;
/// The part of a call that has fields of its own and is no behaviour.
const SENDS: &str = "sends";

/// The default of its service that a call follows.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Reads,
    Writes,
    Journal,
}

/// One call.
pub(super) struct Call<'a> {
    method: &'a MethodDescriptor,
    call: DynamicMessage,
    /// The name of its behaviour: `change`.
    name: String,
    behavior: DynamicMessage,
    aggregates: &'a Aggregates,
    /// Full name of the aggregate that it names or answers, and what is known of it.
    own: Option<(String, &'a Aggregate)>,
    /// The aggregate that it lists.
    listed: Option<(String, &'a Aggregate)>,
}

impl<'a> Call<'a> {
    /// Reads a call; none where it says no behaviour.
    pub(super) fn read(method: &'a MethodDescriptor, call: DynamicMessage, aggregates: &'a Aggregates) -> Option<Self> {
        let (name, behavior) = call
            .fields()
            .filter(|(field, _)| field.name() != SENDS)
            .find_map(|(field, value)| Some((field.name().to_owned(), value.as_message()?.clone())))?;
        let output = method.output();
        let named = read::text(&behavior, "aggregate");
        let full = match named.as_str() {
            "" => output.full_name().to_owned(),
            named => format!("{}.{named}", method.parent_service().package_name()),
        };
        let own = aggregates.get(&full).map(|aggregate| (full, aggregate));
        let is_listed = |field: FieldDescriptor| {
            let item = field.kind().as_message().filter(|_| field.is_list())?.full_name().to_owned();
            aggregates.get(&item).map(|aggregate| (item, aggregate))
        };
        let listed = output.fields().find_map(is_listed);
        Some(Self { method, call, name, behavior, aggregates, own, listed })
    }

    /// The default that it follows.
    pub(super) fn kind(&self) -> Kind {
        match self.name.as_str() {
            "watch" if !read::text(&self.behavior, "aggregate").is_empty() => Kind::Reads,
            "journal" | "max_clock" | "watch" => Kind::Journal,
            "get" | "list" | "batch" | "health" | "titles" | "export_person" | "redact_person" | "read_workers"
            | "order_worker" => Kind::Reads,
            "custom" if read::flag(&self.behavior, "reads") => Kind::Reads,
            _ => Kind::Writes,
        }
    }

    /// The kinds of calls with rate limits that it belongs to, by its access rule.
    pub(super) fn kinds(&self, rule: Option<&DynamicMessage>) -> Kinds {
        let writes = matches!(self.kind(), Kind::Writes);
        let is_public = rule.is_some_and(|rule| read::flag(rule, "public"));
        let realms = rule.and_then(|rule| rule.get_field_by_name("realms"));
        let realms = realms.as_ref().and_then(|realms| realms.as_list()).unwrap_or_default();
        let is_for_people = is_public || realms.iter().filter_map(Value::as_enum_number).any(|realm| realm != MACHINE);
        let tells = read::flag(&self.call, "tells") || writes && is_for_people && self.takes_name();
        Kinds { open: writes && is_public, tells }
    }

    /// Whether the request has a field for a value by which people are known: one of a unique lookup.
    fn takes_name(&self) -> bool {
        let Some((_, aggregate)) = self.own.as_ref() else { return false };
        let parts = aggregate.personal.iter().flat_map(|path| path.split('.'));
        // A request says `email` or `new_email` for an item of `emails`.
        let mut stems = parts.map(|part| part.strip_suffix('s').unwrap_or(part));
        stems.any(|stem| self.method.input().fields().any(|field| field.name().contains(stem)))
    }

    /// The facts that follow from its options and its messages.
    pub(super) fn facts(&self, option: &ExtensionDescriptor) -> Option<DynamicMessage> {
        let mut facts = read::empty(option)?;
        let entity = self.entity().map(|(name, _)| name);
        let id = self.id();
        let answers = match self.kind() {
            Kind::Reads if id.is_some() && entity.is_some_and(|name| name == self.method.output().full_name()) => ONE,
            Kind::Reads if entity.is_some() && entity == self.listed.as_ref().map(|(name, _)| name) => MANY,
            _ => 0,
        };
        facts.set_field_by_name("entity", Value::String(entity.cloned().unwrap_or_default()));
        facts.set_field_by_name("id", Value::String(id.unwrap_or_default()));
        facts.set_field_by_name("reads", Value::Bool(!matches!(self.kind(), Kind::Writes)));
        facts.set_field_by_name("answers", Value::EnumNumber(answers));
        Some(facts)
    }

    /// The aggregate that it is about.
    fn entity(&self) -> Option<&(String, &'a Aggregate)> {
        self.own.as_ref().or(self.listed.as_ref())
    }

    /// The request field with the entity's id: the one that is named, or the aggregate's name with `_id`.
    fn id(&self) -> Option<String> {
        let (entity, _) = self.entity()?;
        let names = ["get", "change", "delete", "custom"].contains(&self.name.as_str());
        let said = read::text(&self.behavior, "id");
        let name = if said.is_empty() { format!("{}_id", snake(entity.rsplit('.').next()?)) } else { said };
        let field = self.method.input().get_field_by_name(&name).filter(|_| names)?;
        (!field.is_list() && field.kind().as_message().is_none()).then_some(name)
    }

    /// The call with its id and every status spelt out.
    pub(super) fn expanded(mut self) -> DynamicMessage {
        if let Some(id) = self.id().filter(|_| self.has("id")) {
            self.behavior.set_field_by_name("id", Value::String(id));
        }
        if let Some((listed, _)) = self.listed.as_ref().filter(|_| self.name == "batch" && self.own.is_none()) {
            let name = listed.rsplit('.').next().unwrap_or_default().to_owned();
            self.behavior.set_field_by_name("aggregate", Value::String(name));
        }
        if let Some((_, aggregate)) = self.entity() {
            // `to` of a change is one status.
            let lists = ["from", "to", "statuses", "makes", "removes"].into_iter().filter(|field| self.lists(field));
            let lists: Vec<_> =
                lists.map(|field| (field, aggregate.mentioned(&read::texts(&self.behavior, field)))).collect();
            for (field, statuses) in lists {
                self.behavior.set_field_by_name(field, read::list(statuses));
            }
        }
        if self.has("steps") {
            let steps = read::messages(&self.behavior, "steps").into_iter().map(|step| Value::Message(self.step(step)));
            let steps = steps.collect();
            self.behavior.set_field_by_name("steps", Value::List(steps));
        }
        for (field, statuses) in self.implied() {
            if !self.behavior.has_field_by_name(field) {
                self.behavior.set_field_by_name(field, read::list(statuses));
            }
        }
        if let Some(reasons) = self.reasons() {
            self.behavior.set_field_by_name("reasons", read::list(reasons));
        }
        self.call.set_field_by_name(&self.name, Value::Message(self.behavior));
        self.call
    }

    fn has(&self, field: &str) -> bool {
        self.behavior.descriptor().get_field_by_name(field).is_some()
    }

    fn lists(&self, field: &str) -> bool {
        self.behavior.descriptor().get_field_by_name(field).is_some_and(|field| field.is_list())
    }

    /// A step with its statuses spelt out.
    fn step(&self, mut step: DynamicMessage) -> DynamicMessage {
        let named = read::text(&step, "aggregate");
        let aggregate = match named.as_str() {
            "" => self.own.as_ref().map(|(_, aggregate)| *aggregate),
            named => self.aggregates.get(&format!("{}.{named}", self.method.parent_service().package_name())),
        };
        if let Some(aggregate) = aggregate {
            for side in ["from", "to"] {
                let statuses = aggregate.mentioned(&read::texts(&step, side));
                step.set_field_by_name(side, read::list(statuses));
            }
        }
        step
    }

    /// The reasons of a declared write: its own, then those of its aggregate.
    fn reasons(&self) -> Option<Vec<String>> {
        let (_, aggregate) =
            self.own.as_ref().filter(|_| ["create", "change", "delete"].contains(&self.name.as_str()))?;
        let mut reasons = read::texts(&self.behavior, "reasons");
        let more: Vec<String> = aggregate.reasons().into_iter().filter(|reason| !reasons.contains(reason)).collect();
        reasons.extend(more);
        Some(reasons)
    }

    /// The statuses that a call is allowed from and may lead to, where it does not say.
    fn implied(&self) -> Vec<(&'static str, Vec<String>)> {
        let Some((_, aggregate)) = self.own.as_ref() else { return Vec::new() };
        match self.name.as_str() {
            "change" => {
                let by_request = !read::text(&self.behavior, "to_field").is_empty();
                let from = if by_request { aggregate.mentioned(&self.own_sides("from")) } else { aggregate.open() };
                vec![("from", from)]
            }
            "delete" => vec![("from", aggregate.statuses.clone())],
            "custom" if matches!(self.kind(), Kind::Writes) => {
                let removed = read::texts(&self.behavior, "removes");
                let steps = read::messages(&self.behavior, "steps");
                let is_own = |step: &DynamicMessage| read::text(step, "aggregate").is_empty();
                let says = steps.iter().any(is_own) || !removed.is_empty() || self.behavior.has_field_by_name("makes");
                let from = if says {
                    aggregate.mentioned(&[self.own_sides("from"), removed].concat())
                } else {
                    aggregate.open()
                };
                vec![("from", from), ("to", aggregate.mentioned(&self.own_sides("to")))]
            }
            _ => Vec::new(),
        }
    }

    /// The statuses on one side of the steps of the call's own entity.
    fn own_sides(&self, side: &str) -> Vec<String> {
        let steps = read::messages(&self.behavior, "steps");
        let own = steps.iter().filter(|step| read::text(step, "aggregate").is_empty());
        own.flat_map(|step| read::texts(step, side)).collect()
    }
}

/// `UserState` → `user_state`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
