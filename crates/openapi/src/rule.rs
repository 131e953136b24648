//! The validation rules of a field, as `buf.validate` writes them.

use prost_reflect::{DynamicMessage, FieldDescriptor, ReflectMessage as _, Value};

/// `buf.validate.Ignore.IGNORE_IF_ZERO_VALUE`.
const IGNORE_IF_ZERO_VALUE: i64 = 1;

/// The rules of a field, or of the items of a repeated one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules(Option<DynamicMessage>);

impl Rules {
    /// The rules that the proto sets for `field`.
    pub(crate) fn of(field: &FieldDescriptor) -> Self {
        let extension = field.parent_pool().get_extension_by_name("buf.validate.field");
        let options = field.options();
        let rules =
            extension.filter(|extension| options.has_extension(extension)).and_then(|extension| {
                match &*options.get_extension(&extension) {
                    Value::Message(rules) => Some(rules.clone()),
                    _ => None,
                }
            });
        Self(rules)
    }

    /// The field must be present, and must differ from its default if it has no presence.
    pub(crate) fn required(&self) -> bool {
        self.value("required").and_then(|value| value.as_bool()).unwrap_or(false)
    }

    /// The rules do not hold for the value of a field that was not sent.
    pub(crate) fn ignores_zero(&self) -> bool {
        self.integer("ignore") == Some(IGNORE_IF_ZERO_VALUE)
    }

    /// The rules of one kind: `string`, `enum`, `repeated`.
    pub(crate) fn kind(&self, name: &str) -> Self {
        Self(self.value(name).and_then(|value| value.as_message().cloned()))
    }

    /// The rules of a repeated field's items.
    pub(crate) fn items(&self) -> Self {
        self.kind("repeated").kind("items")
    }

    /// A rule that is a whole number of any width.
    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        integer(&self.value(name)?)
    }

    /// A rule that is a decimal number.
    pub(crate) fn decimal(&self, name: &str) -> Option<f64> {
        let value = self.value(name)?;
        value.as_f64().or_else(|| value.as_f32().map(f64::from))
    }

    /// A rule that is text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.value(name)?.as_str().map(str::to_owned)
    }

    /// A rule that is on or off.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.value(name).and_then(|value| value.as_bool()).unwrap_or(false)
    }

    /// A rule that is a list of whole numbers; empty where there is none.
    pub(crate) fn integers(&self, name: &str) -> Vec<i64> {
        let value = self.value(name);
        let list = value.as_ref().and_then(|value| value.as_list()).unwrap_or_default();
        list.iter().filter_map(integer).collect()
    }

    fn value(&self, name: &str) -> Option<Value> {
        let message = self.0.as_ref()?;
        let field = message.descriptor().get_field_by_name(name)?;
        message.has_field(&field).then(|| message.get_field(&field).into_owned())
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::I32(number) => Some(i64::from(*number)),
        Value::I64(number) => Some(*number),
        Value::U32(number) => Some(i64::from(*number)),
        Value::U64(number) => i64::try_from(*number).ok(),
        Value::EnumNumber(number) => Some(i64::from(*number)),
        _ => None,
    }
}
