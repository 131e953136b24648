//! Writes the kinds of scopes as Rust, from their declarations in the contract.

use std::error::Error;
use std::fmt::Write as _;

use prost_reflect::{DescriptorPool, DynamicMessage, EnumValueDescriptor, Value};

use super::spelling;

/// The methods of `ScopeKind`, and a module with the names of the roles of each kind.
pub(crate) fn code(pool: &DescriptorPool) -> Result<String, Box<dyn Error>> {
    let descriptor = pool.get_enum_by_name("pavise.contract.v1.ScopeKind").ok_or("there is no ScopeKind")?;
    let mut text = spelling::code(&descriptor, "options::v1::ScopeKind");
    let (mut all, mut realms, mut outer, mut roles, mut names) = Default::default();
    for value in descriptor.values().filter(|value| value.number() != 0) {
        let rule = rule(pool, &value).ok_or_else(|| format!("{}: it needs scope_kind", value.full_name()))?;
        let number = |field: &str| rule.get_field_by_name(field).and_then(|value| value.as_enum_number()).unwrap_or(0);
        let list = rule.get_field_by_name("roles");
        let list = list.as_ref().and_then(|list| list.as_list()).unwrap_or_default();
        let list: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
        let at = value.number();
        one(&mut all, format!("{at},"))?;
        one(&mut realms, format!("{at} => {},", number("realm")))?;
        one(&mut outer, format!("{at} => {},", number("within")))?;
        one(&mut roles, format!("{at} => &{list:?},"))?;
        let kind = spelling::of(&value).unwrap_or_default();
        let constants: String =
            list.iter().map(|role| format!("/// A role.\npub const {role}: &str = {role:?};\n")).collect();
        one(&mut names, format!("/// In scopes of kind {kind}.\npub mod {} {{ {constants} }}", kind.to_lowercase()))?;
    }
    writeln!(
        text,
        "impl options::v1::ScopeKind {{
            /// Each kind.
            pub fn all() -> impl Iterator<Item = Self> {{ [{all}].into_iter().filter_map(|number| Self::try_from(number).ok()) }}
            /// The realm whose callers have roles in such scopes.
            #[must_use]
            pub fn realm(self) -> options::v1::Realm {{
                options::v1::Realm::try_from(match self as i32 {{ {realms} _ => 0 }}).unwrap_or_default()
            }}
            /// The kind of scope that each one lies in; unspecified for none.
            #[must_use]
            pub fn within(self) -> Self {{ Self::try_from(match self as i32 {{ {outer} _ => 0 }}).unwrap_or_default() }}
            /// The names of the roles, the administrator's first.
            #[must_use]
            pub fn roles(self) -> &'static [&'static str] {{ match self as i32 {{ {roles} _ => &[] }} }}
        }}
        /// The names of the roles in scopes, by kind.
        pub mod scope_roles {{ {names} }}"
    )?;
    Ok(text)
}

fn one(text: &mut String, line: String) -> std::fmt::Result {
    writeln!(text, "{line}")
}

fn rule(pool: &DescriptorPool, value: &EnumValueDescriptor) -> Option<DynamicMessage> {
    let extension = spelling::extension(pool, "pavise.contract.v1.scope_kind")?;
    value.options().get_extension(&extension).as_message().cloned()
}
