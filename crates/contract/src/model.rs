//! Reads the contract from a descriptor pool.

use std::collections::BTreeMap;

use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor, ServiceDescriptor, Value};

use crate::comment::documentation;
use crate::google::api::{HttpRule, http_rule::Pattern};
use crate::options::v1 as options;
use crate::spelling;
use crate::step::Step;

pub use crate::options::v1::call::Behavior;

/// All declarations of the protos in a pool.
#[derive(Debug)]
pub struct Contract {
    /// The services that carry the `service` option, by name.
    pub services: Vec<Service>,
    /// The aggregates, by full message name.
    pub aggregates: BTreeMap<String, Aggregate>,
    /// The error reasons, by package and number.
    pub reasons: Vec<Reason>,
}

/// A service of the platform.
#[derive(Debug)]
pub struct Service {
    /// The name in the specification: `payment_methods`.
    pub name: String,
    /// The domain: `billing`.
    pub domain: String,
    /// The permissions that it declares, without the domain: `invoices.pay`.
    pub permissions: Vec<String>,
    /// The host below the base domain: `payment-methods`.
    pub host: String,
    /// Its descriptor.
    pub descriptor: ServiceDescriptor,
    /// Its calls, in the order of the proto.
    pub methods: Vec<Method>,
}

/// One call.
#[derive(Debug)]
pub struct Method {
    /// Its descriptor.
    pub descriptor: MethodDescriptor,
    /// The access rule.
    pub access: options::Access,
    /// The behaviour.
    pub behavior: Behavior,
    /// How often it may be made.
    pub pace: Vec<options::Pace>,
    /// The recipient of its message, if it sends one.
    pub sends: Option<options::Sends>,
    /// Whether it tells that somebody is known.
    pub tells: bool,
    /// Whether the caller proves something with the request.
    pub proves: bool,
    /// The reason why a secret field of the request proves nothing; empty if it does, or there is none.
    pub proves_nothing: String,
    /// The steps that it names in addition to `from` and `to`.
    pub steps: Vec<Step>,
    /// Its REST paths: the first binding, then the additional ones.
    pub bindings: Vec<Binding>,
    /// The parts of its multipart body, if it takes one.
    pub multipart: Vec<options::Part>,
    /// The facts that the build derived.
    pub facts: options::Facts,
    /// The security event of its success; unspecified for none.
    pub event: options::SecurityEvent,
}

/// One REST path of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The HTTP method.
    pub verb: Verb,
    /// The path template: `/v1/orders/{order_id}`.
    pub path: String,
    /// `*`, a request field, or empty.
    pub body: String,
    /// The response field that is answered; empty for the whole response.
    pub response_body: String,
}

/// The HTTP methods of the facade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "they are the HTTP methods")]
pub enum Verb {
    Get,
    Put,
    Post,
    Delete,
    Patch,
}

/// A stored, journalled entity.
#[derive(Debug)]
pub struct Aggregate {
    /// The message.
    pub descriptor: MessageDescriptor,
    /// The aggregate's options.
    pub options: options::Aggregate,
    /// All spellings of its status.
    pub statuses: Vec<String>,
}

/// A reason why a call can be refused.
#[derive(Debug)]
pub struct Reason {
    /// The domain, or `common`.
    pub domain: String,
    /// The name for callers: `OFFER_NOT_FOR_SALE`.
    pub name: String,
    /// The canonical code's name.
    pub code: String,
    /// An example message.
    pub example: String,
    /// The security event of a refusal for it.
    pub event: options::SecurityEvent,
    /// Its meaning: the value's comment.
    pub comment: String,
}

/// An error of the contract.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ContractError {
    /// The full name of the place.
    pub place: String,
    /// The problem.
    pub problem: String,
}

impl ContractError {
    /// A problem at a place.
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

impl Contract {
    /// Reads the declarations of `pool`.
    ///
    /// # Errors
    /// When a service of the platform has a call without access or behaviour, or an option cannot be read.
    pub fn read(pool: &DescriptorPool) -> Result<Self, ContractError> {
        let mut services = Vec::new();
        for service in pool.services() {
            if let Some(service) = Service::read(service)? {
                services.push(service);
            }
        }
        let mut aggregates = BTreeMap::new();
        for message in pool.all_messages() {
            if let Some(options) =
                option::<options::Aggregate>(&message.options(), pool, "pavise.contract.v1.aggregate")
            {
                aggregates.insert(message.full_name().to_owned(), Aggregate::read(message, options)?);
            }
        }
        Ok(Self { services, aggregates, reasons: reasons(pool) })
    }

    /// All calls with their service.
    pub fn methods(&self) -> impl Iterator<Item = (&Service, &Method)> {
        self.services.iter().flat_map(|service| service.methods.iter().map(move |method| (service, method)))
    }

    /// The error reason that a call of `domain` names: one of that domain, or a shared one.
    #[must_use]
    pub fn reason(&self, domain: &str, name: &str) -> Option<&Reason> {
        let of = |domain: &str| self.reasons.iter().find(|reason| reason.domain == domain && reason.name == name);
        of(domain).or_else(|| of("common"))
    }

    /// The service with that name in the specification.
    #[must_use]
    pub fn service(&self, name: &str) -> Option<&Service> {
        self.services.iter().find(|service| service.name == name)
    }
}

impl Service {
    fn read(descriptor: ServiceDescriptor) -> Result<Option<Self>, ContractError> {
        let pool = descriptor.parent_pool().clone();
        let Some(options) = option::<options::Service>(&descriptor.options(), &pool, "pavise.contract.v1.service")
        else {
            return Ok(None);
        };
        let place = descriptor.full_name().to_owned();
        if options.name.is_empty() {
            return Err(ContractError::new(place, "the service option needs a name"));
        }
        let domain = domain_of(descriptor.package_name());
        let methods = descriptor.methods().map(Method::read).collect::<Result<_, _>>()?;
        let host = options.name.replace('_', "-");
        Ok(Some(Self { name: options.name, domain, permissions: options.permissions, host, descriptor, methods }))
    }
}

impl Method {
    fn read(descriptor: MethodDescriptor) -> Result<Self, ContractError> {
        let pool = descriptor.parent_pool().clone();
        let set = descriptor.options();
        let place = descriptor.full_name().to_owned();
        let access = option::<options::Access>(&set, &pool, "pavise.contract.v1.access")
            .ok_or_else(|| ContractError::new(&place, "no access rule: say who may call it"))?;
        let call = option::<options::Call>(&set, &pool, "pavise.contract.v1.call").unwrap_or_default();
        let event = call.event();
        let options::Call { behavior, pace, sends, tells, proves, proves_nothing, .. } = call;
        let behavior = behavior.ok_or_else(|| ContractError::new(&place, "no behaviour: declare one, or custom"))?;
        let mut bindings = Vec::new();
        if let Some(rule) = option::<HttpRule>(&set, &pool, "google.api.http") {
            bindings.push(Binding::read(&place, &rule)?);
            for more in &rule.additional_bindings {
                bindings.push(Binding::read(&place, more)?);
            }
        }
        let multipart = options_list(&set, &pool, "pavise.contract.v1.multipart");
        let facts = option::<options::Facts>(&set, &pool, "pavise.contract.v1.facts").unwrap_or_default();
        let steps = Vec::new();
        let mut method = Self {
            descriptor,
            access,
            behavior,
            pace,
            event,
            sends,
            tells,
            proves,
            proves_nothing,
            steps,
            bindings,
            multipart,
            facts,
        };
        method.steps = Step::named(&method)?;
        if method.event == options::SecurityEvent::Unspecified {
            method.event = method.own_event();
        }
        Ok(method)
    }

    /// The security event that its behaviour has by itself.
    fn own_event(&self) -> options::SecurityEvent {
        match &self.behavior {
            Behavior::List(list) if list.search.is_some() => options::SecurityEvent::Searched,
            Behavior::Journal(_) => options::SecurityEvent::Exported,
            Behavior::Watch(watch) if watch.aggregate.is_empty() => options::SecurityEvent::Exported,
            Behavior::Custom(custom) if custom.reads && custom.stream => options::SecurityEvent::Exported,
            _ => options::SecurityEvent::Unspecified,
        }
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
            | Behavior::Titles(_) => true,
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

impl Binding {
    fn read(place: &str, rule: &HttpRule) -> Result<Self, ContractError> {
        let (verb, path) = match &rule.pattern {
            Some(Pattern::Get(path)) => (Verb::Get, path),
            Some(Pattern::Put(path)) => (Verb::Put, path),
            Some(Pattern::Post(path)) => (Verb::Post, path),
            Some(Pattern::Delete(path)) => (Verb::Delete, path),
            Some(Pattern::Patch(path)) => (Verb::Patch, path),
            Some(Pattern::Custom(_)) | None => {
                return Err(ContractError::new(place, "the http rule needs one of get, put, post, delete, patch"));
            }
        };
        Ok(Self { verb, path: path.clone(), body: rule.body.clone(), response_body: rule.response_body.clone() })
    }
}

impl Verb {
    /// The method's name in HTTP.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Patch => "PATCH",
        }
    }
}

impl Aggregate {
    fn read(descriptor: MessageDescriptor, options: options::Aggregate) -> Result<Self, ContractError> {
        let place = descriptor.full_name().to_owned();
        for (number, name) in (1..).zip(["id", "owner_id", "status", "version", "created_at", "updated_at"]) {
            if descriptor.get_field(number).is_none_or(|field| field.name() != name) {
                return Err(ContractError::new(place, format!("field {number} of an aggregate is {name}")));
            }
        }
        let status = descriptor.get_field(3).and_then(|field| field.kind().as_enum().cloned());
        let Some(status) = status else {
            return Err(ContractError::new(place, "status must be an enumeration"));
        };
        let statuses = status.values().filter_map(|value| spelling::of(&value)).collect();
        Ok(Self { descriptor, options, statuses })
    }

    /// Whether the lookup on this field lies in the side table: it has several values per entity, or has `prefix`.
    /// `None` if the path is not valid.
    #[must_use]
    pub fn lookup_is_many(&self, path: &str) -> Option<bool> {
        let mut message = self.descriptor.clone();
        let mut many = self.options.lookups.iter().any(|lookup| lookup.field == path && lookup.prefix);
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let field = message.get_field_by_name(part)?;
            many |= field.is_list();
            if parts.peek().is_none() {
                return Some(many);
            }
            message = field.kind().as_message()?.clone();
            many = true;
        }
        None
    }
}

/// The domain of a proto package: `pavise.billing.v1` → `billing`.
#[must_use]
pub fn domain_of(package: &str) -> String {
    package.split('.').nth(1).unwrap_or(package).to_owned()
}

fn reasons(pool: &DescriptorPool) -> Vec<Reason> {
    let mut found = Vec::new();
    for descriptor in pool.all_enums().filter(|descriptor| descriptor.name() == "ErrorReason") {
        for value in descriptor.values() {
            let Some(reason) = option::<options::Reason>(&value.options(), pool, "pavise.contract.v1.reason") else {
                continue;
            };
            let comment = comment(&descriptor.parent_file(), value.path());
            found.push(Reason {
                domain: domain_of(descriptor.package_name()),
                name: spelling::of(&value).unwrap_or_default(),
                event: event_of(&reason),
                code: reason.code,
                example: reason.example,
                comment,
            });
        }
    }
    found
}

/// The comment at a path of a file, without its leading spaces; empty when the descriptors carry none.
pub(crate) fn comment(file: &prost_reflect::FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|location| location.path == path));
    let text = location.map(|location| location.leading_comments()).unwrap_or_default();
    documentation(text)
}

/// The comment of an enumeration's value; empty when the descriptors carry none.
#[must_use]
pub fn comment_of(value: &prost_reflect::EnumValueDescriptor) -> String {
    comment(&value.parent_enum().parent_file(), value.path())
}

/// The typed value of an option, or `None` when it is not set.
pub(crate) fn option<M: prost::Message + Default>(
    options: &DynamicMessage,
    pool: &DescriptorPool,
    name: &str,
) -> Option<M> {
    let extension = spelling::extension(pool, name)?;
    if !options.has_extension(&extension) {
        return None;
    }
    match &*options.get_extension(&extension) {
        Value::Message(message) => message.transcode_to().ok(),
        _ => None,
    }
}

fn options_list<M: prost::Message + Default>(options: &DynamicMessage, pool: &DescriptorPool, name: &str) -> Vec<M> {
    let Some(extension) = spelling::extension(pool, name) else { return Vec::new() };
    match &*options.get_extension(&extension) {
        Value::List(list) => list.iter().filter_map(|value| value.as_message()?.transcode_to().ok()).collect(),
        _ => Vec::new(),
    }
}

/// Whether two fields have the same type, so that the generator can copy one to the other.
#[must_use]
pub fn same_type(one: &prost_reflect::FieldDescriptor, other: &prost_reflect::FieldDescriptor) -> bool {
    one.kind() == other.kind()
        && one.cardinality() == other.cardinality()
        && one.supports_presence() == other.supports_presence()
}

impl Service {
    /// The comment of the service.
    #[must_use]
    pub fn comment(&self) -> String {
        comment(&self.descriptor.parent_file(), self.descriptor.path())
    }
}

impl Method {
    /// The comment of the call; empty when the descriptors carry none.
    #[must_use]
    pub fn comment(&self) -> String {
        comment(&self.descriptor.parent_file(), self.descriptor.path())
    }

    /// The response's descriptor.
    #[must_use]
    pub fn output(&self) -> MessageDescriptor {
        self.descriptor.output()
    }
}

/// The canonical code and the security event of a value of an `ErrorReason` enumeration.
#[must_use]
pub fn reason_code(
    value: &prost_reflect::EnumValueDescriptor,
    pool: &DescriptorPool,
) -> Option<(String, options::SecurityEvent)> {
    let reason = option::<options::Reason>(&value.options(), pool, "pavise.contract.v1.reason")?;
    let event = event_of(&reason);
    Some((reason.code, event))
}

/// The security event of a refusal: the declared one, or else that of the code.
fn event_of(reason: &options::Reason) -> options::SecurityEvent {
    match (reason.event(), reason.code.as_str()) {
        (options::SecurityEvent::Unspecified, "UNAUTHENTICATED") => options::SecurityEvent::ProofFailed,
        (options::SecurityEvent::Unspecified, "PERMISSION_DENIED") => options::SecurityEvent::AccessRefused,
        (options::SecurityEvent::Unspecified, "RESOURCE_EXHAUSTED") => options::SecurityEvent::Throttled,
        (options::SecurityEvent::Unspecified, _) => options::SecurityEvent::None,
        (event, _) => event,
    }
}
