//! Reads the contract from a descriptor pool.

mod binding;
mod lead;
mod query;

use std::collections::BTreeMap;

use prost_reflect::{DescriptorPool, MessageDescriptor, MethodDescriptor, ServiceDescriptor};

use crate::error::ContractError;
use crate::google::api::HttpRule;
use crate::option::{comment, option};
use crate::options::v1 as options;
use crate::reason::{Reason, domain_of, reasons};
use crate::spelling;
use crate::step::Step;
use crate::vocabulary;

pub use crate::options::v1::call::Behavior;
pub use binding::{Binding, Verb};

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
    pub rate_limit: Vec<options::RateLimit>,
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
    /// The bytes that it takes or answers beside its messages.
    pub bytes: Option<options::Bytes>,
    /// The facts that the build derived.
    pub facts: options::Facts,
    /// The security event of its success; unspecified for none.
    pub event: options::SecurityEvent,
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

impl Contract {
    /// Reads the declarations of `pool`.
    ///
    /// # Errors
    /// When a service of the platform has a call without access or behaviour, or an option's field has another number than
    /// this program knows.
    pub fn read(pool: &DescriptorPool) -> Result<Self, ContractError> {
        vocabulary::check(pool)?;
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
            .ok_or_else(|| ContractError::new(&place, "the access rule is missing: say who may call it"))?;
        let call = option::<options::Call>(&set, &pool, "pavise.contract.v1.call").unwrap_or_default();
        let event = call.event();
        let options::Call { behavior, rate_limit, sends, tells, proves, proves_nothing, .. } = call;
        let behavior =
            behavior.ok_or_else(|| ContractError::new(&place, "the behaviour is missing: declare one, or `custom`"))?;
        let mut bindings = Vec::new();
        if let Some(rule) = option::<HttpRule>(&set, &pool, "google.api.http") {
            bindings.push(Binding::read(&place, &rule)?);
            for more in &rule.additional_bindings {
                bindings.push(Binding::read(&place, more)?);
            }
        }
        let bytes = option::<options::Bytes>(&set, &pool, "pavise.contract.v1.bytes");
        let facts = option::<options::Facts>(&set, &pool, "pavise.contract.v1.facts").unwrap_or_default();
        let steps = Vec::new();
        let mut method = Self {
            descriptor,
            access,
            behavior,
            rate_limit,
            event,
            sends,
            tells,
            proves,
            proves_nothing,
            steps,
            bindings,
            bytes,
            facts,
        };
        method.steps = method.named_steps()?;
        if method.event == options::SecurityEvent::Unspecified {
            method.event = method.own_event();
        }
        Ok(method)
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
            many |= field.is_list() || crate::field::sealed_of(&field).is_some();
            if parts.peek().is_none() {
                return Some(many);
            }
            message = field.kind().as_message()?.clone();
            many = true;
        }
        None
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
