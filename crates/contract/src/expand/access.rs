//! The access rule of a call, completed from its service's defaults.

use prost_reflect::{DynamicMessage, MethodDescriptor, ReflectMessage as _, ServiceDescriptor, Value};

use super::call::Kind;
use super::{read, scope};

/// The parts of a rule that are taken over as they are.
const PARTS: [&str; 5] = ["public", "realms", "impersonation", "owner_only", "fresh_proof"];
/// The parts that name a field of the request.
const FIELDS: [&str; 3] = ["owner", "group", "scopes"];
/// The part that a rule with an owner and a permission takes over.
const OWNER_ADMITTED: &str = "owner_admitted";
/// The numbers of the realms whose callers need a permission: Machine, Internal, Partner.
const STAFF: [i32; 3] = [2, 3, 4];

/// The defaults of a service.
pub(super) struct Defaults {
    domain: String,
    service: String,
    reads: Option<DynamicMessage>,
    writes: Option<DynamicMessage>,
    journal: Option<DynamicMessage>,
}

impl Defaults {
    /// Reads the defaults out of a service's option.
    pub(super) fn read(service: &ServiceDescriptor, said: &DynamicMessage) -> Self {
        let defaults = read::message(said, "access");
        let part = |name: &str| defaults.as_ref().and_then(|defaults| read::message(defaults, name));
        let domain = service.package_name().split('.').nth(1).unwrap_or_default().to_owned();
        let service = read::text(said, "name");
        Self { domain, service, reads: part("reads"), writes: part("writes"), journal: part("journal") }
    }

    /// The service's option without its defaults, and its permissions with the name of their service.
    pub(super) fn without(&self, mut said: DynamicMessage) -> DynamicMessage {
        said.clear_field_by_name("access");
        let permissions = read::texts(&said, "permissions");
        let named = |permission: String| match permission.contains('.') {
            true => permission,
            false => format!("{}.{permission}", self.service),
        };
        said.set_field_by_name("permissions", read::list(permissions.into_iter().map(named)));
        said
    }

    /// The whole rule of a call; none where neither it nor its service says one.
    pub(super) fn of(
        &self,
        method: &MethodDescriptor,
        said: Option<DynamicMessage>,
        kind: Kind,
    ) -> Result<Option<DynamicMessage>, String> {
        let default = match kind {
            Kind::Reads => &self.reads,
            Kind::Writes => &self.writes,
            Kind::Journal => &self.journal,
        };
        let said = said.or_else(|| default.as_ref().map(|default| DynamicMessage::new(default.descriptor())));
        let Some(mut rule) = said else { return Ok(None) };
        scope::of_group(&mut rule);
        let is_part = |name: &String| PARTS.iter().chain(&FIELDS).chain([&OWNER_ADMITTED]).any(|part| part == name);
        if let Some(odd) = read::texts(&rule, "without").iter().find(|name| !is_part(name)) {
            return Err(format!(
                "{}: access.without names {odd}, which is no part of an access rule",
                method.full_name()
            ));
        }
        let alone = read::flag(&rule, "public") || read::flag(&rule, "own");
        if let Some(default) = default.as_ref().filter(|_| !alone) {
            for part in PARTS {
                take(&mut rule, default, part);
            }
            if has_field(method, &read::text(default, "owner")) {
                take(&mut rule, default, "owner");
            }
            scope::take(&mut rule, default, method);
            if asks_staff(&rule) {
                take(&mut rule, default, "permission");
                if !read::text(&rule, "owner").is_empty() {
                    take(&mut rule, default, OWNER_ADMITTED);
                }
            }
        }
        of_owner(&mut rule);
        let permission = self.permission(&read::text(&rule, "permission"));
        rule.set_field_by_name("permission", Value::String(permission));
        if let Some(roles) = rule.get_field_by_name_mut("roles").and_then(Value::as_list_mut) {
            for role in roles.iter_mut().filter_map(Value::as_message_mut) {
                let permission = self.permission(&read::text(role, "permission"));
                role.set_field_by_name("permission", Value::String(permission));
            }
        }
        rule.clear_field_by_name("without");
        Ok(Some(rule))
    }

    /// The full name of a permission: `pay`, `transactions.write` and `billing.transactions.write` are three ways of
    /// writing one.
    fn permission(&self, written: &str) -> String {
        match written.split('.').count() {
            1 if !written.is_empty() => format!("{}.{}.{written}", self.domain, self.service),
            2 => format!("{}.{written}", self.domain),
            _ => written.to_owned(),
        }
    }
}

/// Takes a part over from the default, where the rule does not say it.
fn take(rule: &mut DynamicMessage, default: &DynamicMessage, part: &str) {
    let without = read::texts(rule, "without").iter().any(|other| other == part);
    if without || rule.has_field_by_name(part) || !default.has_field_by_name(part) {
        return;
    }
    if let Some(value) = default.get_field_by_name(part) {
        rule.set_field_by_name(part, value.into_owned());
    }
}

/// Makes a call that only its owner may make, and for which the owner needs no permission, one of the caller's own.
fn of_owner(rule: &mut DynamicMessage) {
    if read::flag(rule, "owner_only") && read::flag(rule, OWNER_ADMITTED) {
        rule.clear_field_by_name(OWNER_ADMITTED);
        rule.clear_field_by_name("permission");
        rule.set_field_by_name("own", Value::Bool(true));
    }
}

fn has_field(method: &MethodDescriptor, field: &str) -> bool {
    method.input().get_field_by_name(field).is_some()
}

fn asks_staff(rule: &DynamicMessage) -> bool {
    let realms = rule.get_field_by_name("realms");
    let realms = realms.as_ref().and_then(|realms| realms.as_list()).unwrap_or_default();
    realms.iter().filter_map(Value::as_enum_number).any(|realm| STAFF.contains(&realm))
}
