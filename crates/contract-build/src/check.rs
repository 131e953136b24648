//! Finds errors of a contract at build time, with the full name of the place.

use std::collections::HashMap;

use pavise_contract::options::v1::{Answers, Change, Realm};
use pavise_contract::{Aggregate, Behavior, Contract, Method, Service, check_display, spelling};
use prost_reflect::EnumDescriptor;

use crate::floor::fields::Known;
use crate::floor::rule::{Rule, follows};
use crate::floor::{entities, rule};
use crate::{
    Source, audience, bytes, child, confined, erasure, mask, proof, scope, sealed, setters, tie, unowned, values,
    withheld,
};

type Checked = Result<(), Box<dyn std::error::Error>>;

/// Checks all declarations of the domain.
pub(crate) fn contract(source: &Source<'_>) -> Checked {
    for service in source.contract.services.iter().filter(|service| service.domain == source.domain) {
        for method in &service.methods {
            let place = method.descriptor.full_name();
            if method.comment().is_empty() {
                return Err(format!("{place}: the call has no comment: say in one sentence what it does").into());
            }
            access(method)?;
            scope::check_access(source.contract, method)?;
            tie::check(source.contract, method)?;
            bytes::check(source, method)?;
            permissions(source, method)?;
            behavior(source, method)?;
        }
        routes(service)?;
    }
    for descriptor in source.pool.all_enums().filter(|descriptor| descriptor.package_name() == source.package) {
        spelling::check(&descriptor)?;
    }
    audience::check(source)?;
    setters::check(source)?;
    values::check(source)?;
    sealed::check(source)?;
    mask::check(source)?;
    erasure::check(source)?;
    let mut secrets = Known::new();
    for (_, method) in source.contract.methods().filter(|(service, _)| service.domain == source.domain) {
        proof::check(method, &mut secrets)?;
    }
    child::check(source)?;
    confined::check(source)?;
    unowned::check(source)?;
    withheld::check(source)?;
    for aggregate in entities::aggregates(source) {
        stored(source.contract, source, aggregate)?;
        scope::check_aggregate(aggregate)?;
        displayed(source.contract, aggregate)?;
    }
    Ok(())
}

/// Checks that an aggregate with a page in the console says how it is shown there.
fn displayed(contract: &Contract, aggregate: &Aggregate) -> Checked {
    let place = aggregate.descriptor.full_name();
    if let Some(display) = &aggregate.options.display {
        return check_display(aggregate, display).map_err(|fault| format!("{place}: {fault}").into());
    }
    let answers = |method: &Method| method.facts.entity == place && method.facts.answers() != Answers::Unspecified;
    match contract.methods().find(|(_, method)| answers(method)) {
        Some((_, method)) => {
            let call = method.descriptor.name();
            Err(format!("{place}: `display` is missing: {call} answers it, so say how the console shows it").into())
        }
        None => Ok(()),
    }
}

fn access(method: &Method) -> Checked {
    let (place, access) = (method.descriptor.full_name(), &method.access);
    if !access.public && access.realms.is_empty() {
        return Err(format!("{place}: the access rule admits nobody: name `realms`, or set `public`").into());
    }
    if access.realms().any(|realm| realm == Realm::Unspecified) {
        return Err(format!("{place}: access names the unspecified realm").into());
    }
    let needs = access.realms().any(|realm| matches!(realm, Realm::Internal | Realm::Machine | Realm::Partner));
    if access.own
        && (access.public
            || !access.permission.is_empty()
            || !access.scopes.is_empty()
            || (!access.owner.is_empty() && !access.owner_only))
    {
        return Err(format!(
            "{place}: access.own is not for a rule with `public`, `permission`, `scopes`, or `owner` without `owner_only`: leave these out"
        )
        .into());
    }
    if access.owner_admitted && (access.public || access.owner.is_empty() || access.permission.is_empty()) {
        return Err(format!("{place}: access.owner_admitted needs `owner` and `permission`, and no `public`").into());
    }
    if access.owner_only && (access.public || access.owner.is_empty()) {
        return Err(format!("{place}: access.owner_only needs `owner`, and no `public`").into());
    }
    for role in &access.roles {
        let named =
            !role.name.is_empty() && role.name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
        if !named || (role.realms.is_empty() && role.permission.is_empty()) {
            return Err(format!(
                "{place}: a role of the access rule needs a name in upper case, and `realms` or a `permission`"
            )
            .into());
        }
    }
    if needs && access.permission.is_empty() && !access.own {
        return Err(format!(
            "{place}: realms Internal, Machine and Partner need a permission: set `access.permission`"
        )
        .into());
    }
    Ok(())
}

/// The permissions that every service has without a declaration.
const COMMON: [&str; 4] = ["read", "write", "delete", "journal"];

/// Checks that the permissions of a call's rule and of its roles are known.
fn permissions(source: &Source<'_>, method: &Method) -> Checked {
    let roles = method.access.roles.iter().map(|role| &role.permission);
    roles
        .chain([&method.access.permission])
        .filter(|name| !name.is_empty())
        .try_for_each(|name| permission(source, method, name))
}

/// Checks a permission: `<domain>.<service>.<verb>` with a common verb, or one that a service of the domain declares.
fn permission(source: &Source<'_>, method: &Method, permission: &str) -> Checked {
    let place = method.descriptor.full_name();
    let own = permission.strip_prefix(source.domain).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
    let (what, verb) = own.split_once('.').unwrap_or_default();
    let services = || source.contract.services.iter().filter(|service| service.domain == source.domain);
    let known = services().any(|service| {
        service.name == what && COMMON.contains(&verb) || service.permissions.iter().any(|one| one == own)
    });
    if known {
        return Ok(());
    }
    Err(format!(
        "{place}: the domain {} has no permission {permission}: add it to `permissions` of its service",
        source.domain
    )
    .into())
}

fn behavior(source: &Source<'_>, method: &Method) -> Checked {
    let place = method.descriptor.full_name();
    let rule = rule::rule(source, method)?;
    if method.reads() {
        if matches!(&method.behavior, Behavior::Custom(custom) if !custom.action.is_empty()) {
            return Err(format!("{place}: it has `reads` and `action`: keep one of them").into());
        }
        return Ok(());
    }
    if rule.action.is_empty() {
        return Err(format!("{place}: `action` is missing: name the journal action that the call writes").into());
    }
    let hidden = match &method.behavior {
        Behavior::Create(create) => &create.actions,
        Behavior::Change(change) => &change.actions,
        Behavior::Delete(delete) => &delete.actions,
        _ => &Vec::new(),
    };
    let follows = follows(source, method)?.is_some();
    if !hidden.is_empty() && !follows {
        return Err(format!("{place}: `actions` are those of consequences, and the aggregate has none: leave them out, or set `consequences`").into());
    }
    let Some(aggregate) = rule.aggregate else {
        return match method.behavior {
            Behavior::Custom(_) => Ok(()),
            _ => {
                Err(format!("{place}: the response is no aggregate: answer the entity, or name it in `aggregate`")
                    .into())
            }
        };
    };
    for status in rule.from.iter().chain(&rule.to) {
        if !aggregate.statuses.contains(status) {
            return Err(format!("{place}: {} has no status {status}", aggregate.descriptor.name()).into());
        }
    }
    steps(source, method, &rule)?;
    if let Some(actions) = actions(source, aggregate)? {
        for action in [&rule.action].into_iter().chain(&rule.actions) {
            let is_known =
                actions.contains(action) || (*action != rule.action && is_of_domain(source, aggregate, action)?);
            if !is_known {
                return Err(format!("{place}: {} has no action {action}", aggregate.options.actions).into());
            }
        }
    }
    Ok(())
}

/// Checks that a call's steps name existing statuses and agree with its `to`.
fn steps(source: &Source<'_>, method: &Method, rule: &Rule<'_>) -> Checked {
    let place = method.descriptor.full_name();
    for step in &method.steps {
        let aggregate = source.contract.aggregates.get(&step.aggregate);
        let aggregate = aggregate.ok_or_else(|| format!("{place}: there is no aggregate {}", step.aggregate))?;
        if let Some(status) =
            [&step.from, &step.to].into_iter().flatten().find(|status| !aggregate.statuses.contains(status))
        {
            return Err(format!("{place}: {} has no status {status}", aggregate.descriptor.name()).into());
        }
    }
    let about = method.about();
    if let Behavior::Change(change) = &method.behavior {
        crate::edit::target::check(method, change).map_err(|problem| format!("{place}: {problem}"))?;
    }
    if matches!(method.behavior, Behavior::Custom(_)) {
        if let Some((_, to)) = rule.steps.iter().find(|(_, to)| !rule.to.contains(to)) {
            return Err(format!("{place}: a step leads to {to}, which `to` does not name: add it").into());
        }
        let leads = method.leads(source.contract);
        let reached =
            |status: &&String| leads.iter().any(|step| step.aggregate == about && step.to.as_ref() == Some(status));
        if let Some(to) = rule.to.iter().find(|status| !reached(status)) {
            return Err(format!("{place}: `to` names {to}, which no step leads to: add a step, or `from`").into());
        }
    } else if method.steps.iter().any(|step| step.aggregate == about) {
        let Behavior::Change(change) = &method.behavior else {
            return Err(format!(
                "{place}: a step names no aggregate: a declared call has steps of other aggregates only"
            )
            .into());
        };
        own_steps(method, change, rule).map_err(|problem| format!("{place}: {problem}"))?;
    }
    Ok(())
}

/// Checks the steps that an edit names for its own aggregate, whose status then depends on more than the call.
fn own_steps(method: &Method, change: &Change, rule: &Rule<'_>) -> Result<(), &'static str> {
    if !change.edit && change.to_field.is_empty() {
        return Err("it has steps of its own aggregate, which need `edit` or `to_field`");
    }
    if !change.to.is_empty() {
        return Err("it has `to` and steps of its own aggregate: keep one of them");
    }
    let about = method.about();
    if method.steps.iter().any(|step| step.aggregate == about && (step.from.is_none() || step.to.is_none())) {
        return Err("a step needs `from` and `to`: a change makes no entity and removes none");
    }
    if rule.steps.iter().any(|(from, _)| !rule.from.contains(from)) {
        return Err("a step begins in a status that `from` does not name: add it");
    }
    Ok(())
}

/// Whether another aggregate of the same domain has the action: a commit may write to several journals of it.
fn is_of_domain(
    source: &Source<'_>,
    aggregate: &Aggregate,
    action: &String,
) -> Result<bool, Box<dyn std::error::Error>> {
    let package = aggregate.descriptor.package_name();
    for other in source.contract.aggregates.values().filter(|other| other.descriptor.package_name() == package) {
        if actions(source, other)?.is_some_and(|known| known.contains(action)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The spellings of an aggregate's actions.
fn actions(source: &Source<'_>, aggregate: &Aggregate) -> Result<Option<Vec<String>>, Box<dyn std::error::Error>> {
    if aggregate.options.actions.is_empty() {
        return Ok(None);
    }
    let name = format!("{}.{}", aggregate.descriptor.package_name(), aggregate.options.actions);
    let descriptor = source
        .pool
        .get_enum_by_name(&name)
        .ok_or_else(|| format!("{}: there is no enumeration {name}", aggregate.descriptor.full_name()))?;
    Ok(Some(spellings(&descriptor)))
}

fn spellings(descriptor: &EnumDescriptor) -> Vec<String> {
    descriptor.values().filter_map(|value| spelling::of(&value)).collect()
}

fn stored(contract: &Contract, source: &Source<'_>, aggregate: &Aggregate) -> Checked {
    let (place, options) = (aggregate.descriptor.full_name(), &aggregate.options);
    if options.table.is_empty() || options.actions.is_empty() {
        return Err(format!("{place}: an aggregate needs `table` and `actions`").into());
    }
    actions(source, aggregate)?;
    if !options.visible.is_empty() && !options.shared {
        return Err(format!(
            "{place}: `visible` is for shared aggregates: leave it out, because owners see the others"
        )
        .into());
    }
    let visible = options.visible.iter().flat_map(|rule| &rule.statuses);
    for status in options.terminal.iter().chain(&options.unreached).chain(visible).chain([&options.initial]) {
        if !aggregate.statuses.contains(status) {
            return Err(format!("{place}: there is no status {status:?}").into());
        }
    }
    for status in &aggregate.statuses {
        let step = |method: &Method| {
            let mut steps = method.leads(contract).into_iter();
            steps.any(|step| step.aggregate == place && step.to.as_ref() == Some(status))
        };
        let reached = *status == options.initial || contract.methods().any(|(_, method)| step(method));
        match (reached, options.unreached.contains(status)) {
            (false, false) => {
                return Err(format!(
                    "{place}: no call leads to {status}: name it in the `to` or the steps of one that does, or in `unreached`"
                )
                .into());
            }
            (true, true) => {
                return Err(format!("{place}: `unreached` names {status}, which a call leads to: leave it out").into());
            }
            _ => {}
        }
    }
    let twins = contract.aggregates.values().filter(|other| other.options.table == options.table).count();
    if twins > 1 {
        return Err(format!("{place}: the table {} is used twice", options.table).into());
    }
    Ok(())
}

/// Finds two paths of one service that no request could tell apart.
fn routes(service: &Service) -> Checked {
    let mut seen: HashMap<(pavise_contract::Verb, String), String> = HashMap::new();
    for method in &service.methods {
        for binding in &method.bindings {
            let shape = shape(&binding.path);
            let name = method.descriptor.name().to_owned();
            if let Some(other) = seen.insert((binding.verb, shape), name) {
                let (verb, path, place) = (binding.verb.as_str(), &binding.path, method.descriptor.full_name());
                return Err(format!(
                    "{place}: {verb} {path} cannot be told from a path of {other}: change one of them"
                )
                .into());
            }
        }
    }
    Ok(())
}

/// A path with all parameters replaced by the same text.
fn shape(path: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_u32;
    for letter in path.chars() {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                out.push_str("{}");
            }
            _ if depth == 0 => out.push(letter),
            _ => {}
        }
    }
    out
}
