//! Names of protos as prost writes them in Rust.

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use pavise_contract::{Method, Service};
use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};

/// Reserved words of Rust, which prost escapes.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The Rust name of a field.
pub(crate) fn field(field: &FieldDescriptor) -> String {
    ident(field.name())
}

/// The Rust name for a field or a function.
pub(crate) fn ident(name: &str) -> String {
    let snake = name.to_snake_case();
    if KEYWORDS.contains(&snake.as_str()) { format!("r#{snake}") } else { snake }
}

/// The Rust name of a type.
pub(crate) fn camel(name: &str) -> String {
    name.to_upper_camel_case()
}

/// The Rust name of a constant.
pub(crate) fn constant(name: &str) -> String {
    name.to_snake_case().to_uppercase()
}

/// The path of a message's type, relative to `contract`.
pub(crate) fn message(descriptor: &MessageDescriptor) -> String {
    rust_path(descriptor.package_name(), descriptor.full_name())
}

/// The path of an enumeration's type, relative to `contract`.
pub(crate) fn enumeration(descriptor: &EnumDescriptor) -> String {
    rust_path(descriptor.package_name(), descriptor.full_name())
}

fn rust_path(package: &str, full_name: &str) -> String {
    if full_name == "google.protobuf.Empty" {
        return "()".to_owned();
    }
    let inner = full_name.strip_prefix(package).unwrap_or(full_name).trim_start_matches('.');
    let mut parts: Vec<String> = inner.split('.').map(str::to_owned).collect();
    let last = parts.pop().unwrap_or_default();
    let mut path: Vec<String> = parts.iter().map(|outer| ident(outer)).collect();
    path.push(camel(&last));
    let place = match package {
        "pavise.common.v1" => "::pavise_kernel::common::v1".to_owned(),
        "google.protobuf" => "::prost_types".to_owned(),
        other => format!("self::{}", other.replace('.', "::")),
    };
    format!("{place}::{}", path.join("::"))
}

/// The text of a type path, without spaces.
pub(crate) fn type_path(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => {
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::")
        }
        _ => String::new(),
    }
}

/// Whether a field is a plain string.
pub(crate) fn is_string(field: &FieldDescriptor) -> bool {
    matches!(field.kind(), Kind::String) && !field.is_list()
}

/// The service's name without `Service`.
pub(crate) fn short(service: &Service) -> String {
    let name = service.descriptor.name();
    name.strip_suffix("Service").unwrap_or(name).to_owned()
}

/// The path of the constant with a call's rule.
pub(crate) fn call_constant(short: &str, method: &Method) -> String {
    format!("{}_calls::{}", ident(short), constant(method.descriptor.name()))
}

/// Whether assignment copies values of this kind.
pub(crate) fn is_copy(kind: &Kind) -> bool {
    !matches!(kind, Kind::String | Kind::Bytes | Kind::Message(_))
}
