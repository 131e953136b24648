//! Code for every message, enumeration and error reason of the package: Redact, Target, Validate, Reason, spellings.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::ScopeKind;
use pavise_contract::{Sensitivity, spelling};
use prost_reflect::{EnumDescriptor, MessageDescriptor};

use crate::floor::fields::{Known, has_secret, ours, requested};
use crate::{Source, audience, disclosure, mask, name, rate_limit, scope, setters, tie, values};

/// The code for all messages and enumerations of the package.
pub(crate) fn code(source: &Source<'_>, validated: &[String]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let (mut secrets, mut audiences) = (Known::new(), Known::new());
    let (mut personal, mut foreign, mut masks) = (Known::new(), Known::new(), Known::new());
    let (written, mut valued) = (values::written_messages(source), Known::new());
    let package = format!("self::{}::", source.package.replace('.', "::"));
    for message in ours(source) {
        let path = name::message(&message);
        writeln!(text, "impl ::pavise_kernel::Redact for {path} {{")?;
        redact(&mut text, &message, &mut secrets)?;
        audience::hide(&mut text, &message, &mut audiences)?;
        mask::mask(&mut text, &message, &mut masks)?;
        disclosure::disclose(&mut text, source, &message, &mut personal)?;
        setters::find(&mut text, &message, &mut foreign)?;
        if written.contains(message.full_name()) {
            values::write_checks(&mut text, &message, &mut valued)?;
        }
        text.push_str("}\n");
        if !validated.iter().any(|known| path.strip_prefix(&package) == Some(known)) {
            writeln!(
                text,
                "impl ::pavise_kernel::Validate for {path} {{ fn validate(&self) -> ::core::result::Result<(), ::prost_protovalidate::ValidationError> {{ Ok(()) }} }}"
            )?;
        }
    }
    targets(&mut text, source)?;
    for descriptor in source.pool.all_enums().filter(|descriptor| descriptor.package_name() == source.package) {
        if descriptor.name() == "ErrorReason" {
            reasons(&mut text, &descriptor)?;
        } else {
            text.push_str(&spelling::code(&descriptor, &name::enumeration(&descriptor)));
        }
    }
    Ok(text)
}

fn redact(text: &mut String, message: &MessageDescriptor, secrets: &mut Known) -> Result<(), Box<dyn Error>> {
    if !has_secret(message, secrets) {
        return Ok(());
    }
    text.push_str("fn redact(&mut self) {\n");
    for field in message.fields() {
        let ident = name::field(&field);
        if Sensitivity::of(&field) == Sensitivity::Secret {
            writeln!(text, "self.{ident} = ::core::default::Default::default();")?;
            continue;
        }
        let Some(inner) = field.kind().as_message().cloned() else { continue };
        if !has_secret(&inner, secrets) {
            continue;
        }
        if field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic()) || field.is_map() {
            return Err(format!("{}: a secret cannot lie below a oneof or a map", field.full_name()).into());
        }
        // One loop serves lists and optional messages.
        writeln!(text, "for inner in self.{ident}.iter_mut() {{ ::pavise_kernel::Redact::redact(inner); }}")?;
    }
    text.push_str("}\n");
    Ok(())
}

/// The owner field, the scope fields, the fields of the scope, the ties, the recipient and the reason that calls name in their common
/// request.
type Named = (String, Vec<(ScopeKind, String)>, Vec<String>, Vec<tie::Checked>, String, String);

fn targets(text: &mut String, source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    let mut done: HashMap<String, Named> = HashMap::new();
    for (_, method) in source.contract.methods().filter(|(service, _)| service.domain == source.domain) {
        let input = method.descriptor.input();
        if input.package_name() != source.package {
            continue;
        }
        let (scopes, ties, recipient) = (scope::named(method), tie::checked(method), rate_limit::recipient(method));
        let named =
            (method.access.owner.clone(), scopes, method.scope().to_vec(), ties, recipient, mask::target(method));
        match done.insert(input.full_name().to_owned(), named.clone()) {
            Some(earlier) if earlier == named => continue,
            Some(_) => {
                return Err(format!(
                    "{}: calls with this request name different owners, scopes, recipients or reasons: give each a request of its own",
                    input.full_name()
                )
                .into());
            }
            None => {}
        }
        writeln!(text, "impl ::pavise_kernel::Target for {} {{", name::message(&input))?;
        if !method.access.owner.is_empty() {
            let value = requested(method, "owner", &method.access.owner)?;
            writeln!(text, "fn owner(&self) -> Option<&str> {{ {value} }}")?;
        }
        scope::target(text, method)?;
        tie::target(text, method)?;
        text.push_str(&rate_limit::target(method)?);
        text.push_str(&mask::target(method));
        let mut values = String::new();
        for field in method.scope() {
            let found = input.get_field_by_name(field).filter(name::is_string);
            let found = found.ok_or_else(|| {
                format!("{}: scope names {field}, no text of the request", method.descriptor.full_name())
            })?;
            write!(values, "({field:?}, self.{}.clone()),", name::field(&found))?;
        }
        if !values.is_empty() {
            writeln!(text, "fn scope(&self) -> Vec<(&'static str, String)> {{ vec![{values}] }}")?;
        }
        text.push_str("}\n");
    }
    Ok(())
}

fn reasons(text: &mut String, descriptor: &EnumDescriptor) -> Result<(), Box<dyn Error>> {
    let path = name::enumeration(descriptor);
    let pool = descriptor.parent_pool();
    let (mut names, mut codes, mut events) = (String::new(), String::new(), String::new());
    for value in descriptor.values() {
        let Some(spelled) = spelling::of(&value) else { continue };
        let (code, event) = pavise_contract::reason_code(&value, pool)
            .ok_or_else(|| format!("{}: a reason needs the reason option", value.full_name()))?;
        writeln!(names, "{} => {spelled:?},", value.number())?;
        writeln!(codes, "{} => ::tonic::Code::{},", value.number(), name::camel(&code.to_lowercase()))?;
        writeln!(events, "{} => ::pavise_kernel::table::SecurityEvent::{event:?},", value.number())?;
    }
    writeln!(
        text,
        "impl ::pavise_kernel::Reason for {path} {{
            fn name(&self) -> &'static str {{ match *self as i32 {{ {names} _ => \"UNSPECIFIED\" }} }}
            fn code(&self) -> ::tonic::Code {{ match *self as i32 {{ {codes} _ => ::tonic::Code::Unknown }} }}
            fn event(&self) -> ::pavise_kernel::table::SecurityEvent {{ match *self as i32 {{ {events} _ => ::pavise_kernel::table::SecurityEvent::None }} }}
        }}"
    )?;
    Ok(())
}
