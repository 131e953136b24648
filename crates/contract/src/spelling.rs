//! The spellings of enumeration values outside gRPC: the documented one, or the name without its prefix.

use prost_reflect::{DescriptorPool, EnumDescriptor, EnumValueDescriptor, ExtensionDescriptor, Value};

/// The extension of that name in `pool`, also for descriptors of another pool.
pub(crate) fn extension(pool: &DescriptorPool, name: &str) -> Option<ExtensionDescriptor> {
    pool.get_extension_by_name(name)
}

/// The spelling of a value: `GroupAdmin`, `SYSTEM I`, `ACTIVE`. `None` for the unspecified value, which has none.
#[must_use]
pub fn of(value: &EnumValueDescriptor) -> Option<String> {
    let parent = value.parent_enum();
    let pool = parent.parent_pool();
    if let Some(spelling) = extension(pool, "pavise.contract.v1.spelling") {
        let options = value.options();
        if options.has_extension(&spelling)
            && let Value::String(text) = &*options.get_extension(&spelling)
        {
            return Some(text.clone());
        }
    }
    let prefix = prefix(parent);
    let name = value.name();
    let short = name.strip_prefix(&prefix).unwrap_or(name);
    (short != "UNSPECIFIED").then(|| short.to_owned())
}

/// The spellings that are read for a value and never written.
#[must_use]
pub fn also_read(value: &EnumValueDescriptor) -> Vec<String> {
    let Some(option) = extension(value.parent_enum().parent_pool(), "pavise.contract.v1.also_read") else {
        return Vec::new();
    };
    match &*value.options().get_extension(&option) {
        Value::List(texts) => texts.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// Checks that each spelling of an enumeration, also one that is only read, means one value.
///
/// # Errors
/// The name of the value that is wrong, and the reason.
pub fn check(descriptor: &EnumDescriptor) -> Result<(), String> {
    let written: Vec<(i32, String)> =
        descriptor.values().filter_map(|value| Some((value.number(), of(&value)?))).collect();
    let mut read: Vec<String> = Vec::new();
    for value in descriptor.values() {
        let also = also_read(&value);
        if !also.is_empty() && of(&value).is_none() {
            return Err(format!("{}: the unspecified value has no spelling", value.full_name()));
        }
        for spelling in also {
            if spelling.is_empty() || read.contains(&spelling) || written.iter().any(|(_, known)| *known == spelling) {
                return Err(format!(
                    "{}: also_read names {spelling:?}, which means a value already",
                    value.full_name()
                ));
            }
            read.push(spelling);
        }
    }
    Ok(())
}

/// The prefix that buf's lint asks of the values of an enumeration: `OrderStatus` → `ORDER_STATUS_`.
#[must_use]
pub fn prefix(descriptor: &EnumDescriptor) -> String {
    let mut out = String::new();
    let name = descriptor.name();
    let mut previous_lower = false;
    for (at, letter) in name.char_indices() {
        let next_lower =
            name.get(at + letter.len_utf8()..).and_then(|rest| rest.chars().next()).is_some_and(char::is_lowercase);
        if letter.is_uppercase() && at > 0 && (previous_lower || next_lower) {
            out.push('_');
        }
        previous_lower = letter.is_lowercase() || letter.is_ascii_digit();
        out.extend(letter.to_uppercase());
    }
    out.push('_');
    out
}

/// The Rust code of an enumeration's spellings, for the type at `path`. This crate writes it for the shared messages,
/// and the generator for the domains' messages.
#[must_use]
pub fn code(descriptor: &EnumDescriptor, path: &str) -> String {
    let (mut out, mut back) = (String::new(), String::new());
    for value in descriptor.values() {
        if let Some(spelled) = of(&value) {
            out.push_str(&format!("{} => {spelled:?},\n", value.number()));
            back.push_str(&format!("{spelled:?} => {},\n", value.number()));
            for spelled in also_read(&value) {
                back.push_str(&format!("{spelled:?} => {},\n", value.number()));
            }
        }
    }
    format!(
        "impl {path} {{
            /// The documented spelling; empty for the unspecified value.
            #[must_use]
            pub fn spelling(self) -> &'static str {{ match self as i32 {{ {out} _ => \"\" }} }}
            /// The value of a documented spelling, or of one that is only read.
            #[must_use]
            pub fn from_spelling(spelling: &str) -> Option<Self> {{
                let number = match spelling {{ {back} _ => return None }};
                Self::try_from(number).ok()
            }}
        }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| DescriptorPool::decode(crate::DESCRIPTORS).unwrap());

    fn spellings(name: &str) -> Vec<String> {
        POOL.get_enum_by_name(name).unwrap().values().filter_map(|value| of(&value)).collect()
    }

    #[test]
    fn documented_spellings_win_over_names() {
        assert_eq!(spellings("pavise.common.v1.Locale"), ["en-US", "es-US", "en-CA", "fr-CA"]);
        assert_eq!(spellings("pavise.common.v1.Currency"), ["USD", "CAD"]);
        assert!(spellings("pavise.common.v1.RegionCode").contains(&"CA_2".to_owned()));
    }

    #[test]
    fn the_prefix_follows_the_words_of_the_name() {
        let of = |name: &str| prefix(&POOL.get_enum_by_name(name).unwrap());
        assert_eq!(of("pavise.common.v1.CoBrandPartner"), "CO_BRAND_PARTNER_");
        assert_eq!(of("pavise.contract.v1.Realm"), "REALM_");
    }
}
