//! Enumerations, compiled.

use prost_reflect::EnumDescriptor;

use crate::names::Names;

/// One enumeration, compiled.
pub(crate) struct Enumeration {
    /// The values by number, each number once.
    values: Box<[EnumValue]>,
    /// Maps a spelling or full name to the bits of the number.
    names: Names,
    /// The spellings, for a message.
    listing: String,
}

/// One value of an enumeration.
pub(crate) struct EnumValue {
    number: i32,
    /// The JSON text, in quotes.
    pub(crate) json: Box<[u8]>,
    /// Whether it has a spelling; if not, `json` is its full name.
    pub(crate) spelled: bool,
}

/// The most spellings that a message lists.
const LISTED: usize = 12;

impl Enumeration {
    pub(super) fn compile(descriptor: &EnumDescriptor) -> Self {
        let mut values = Vec::new();
        let mut spellings = Vec::new();
        // In the order of the proto, because the descriptor has another order.
        let protos = &descriptor.enum_descriptor_proto().value;
        for value in protos.iter().filter_map(|proto| descriptor.get_value_by_name(proto.name())) {
            let spelling = pavise_contract::spelling::of(&value);
            let mut json = Vec::new();
            crate::json::put_text(&mut json, spelling.as_deref().unwrap_or(value.name()));
            values.push(EnumValue { number: value.number(), json: json.into(), spelled: spelling.is_some() });
            spellings.extend(spelling.map(|spelling| (spelling, value.number().cast_unsigned())));
        }
        // Of two names for one number, the first in the proto is written.
        values.sort_by_key(|value| value.number);
        values.dedup_by_key(|value| value.number);

        let names: Vec<_> =
            descriptor.values().map(|value| (value.name().to_owned(), value.number().cast_unsigned())).collect();
        let read: Vec<_> = descriptor
            .values()
            .flat_map(|value| {
                let number = value.number().cast_unsigned();
                pavise_contract::spelling::also_read(&value).into_iter().map(move |spelling| (spelling, number))
            })
            .collect();
        let all = spellings.iter().chain(&read).chain(&names).map(|(name, number)| (name.as_str(), *number));
        let mut listing =
            spellings.iter().take(LISTED).map(|(spelling, _)| spelling.as_str()).collect::<Vec<_>>().join(", ");
        if spellings.len() > LISTED {
            listing.push_str(", …");
        }
        Self { values: values.into(), names: Names::new(all), listing }
    }

    /// The value with that number.
    #[inline]
    pub(crate) fn value(&self, number: i32) -> Option<&EnumValue> {
        // Most enumerations count from zero without a gap.
        if let Some(value) = usize::try_from(number).ok().and_then(|at| self.values.get(at))
            && value.number == number
        {
            return Some(value);
        }
        let at = self.values.binary_search_by_key(&number, |value| value.number).ok()?;
        self.values.get(at)
    }

    /// The number of that spelling or full name.
    #[inline]
    pub(crate) fn number(&self, text: &[u8]) -> Option<i32> {
        self.names.get(text).map(u32::cast_signed)
    }

    /// The message for a text that is no value.
    #[cold]
    pub(crate) fn refusal(&self, text: &str) -> String {
        format!("{} is not one of {}", crate::error::excerpt(text), self.listing)
    }
}
