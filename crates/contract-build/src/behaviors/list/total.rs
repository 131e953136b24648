//! The count of what a list holds.

use std::error::Error;

use pavise_contract::Method;
use pavise_contract::options::v1::List;
use prost_reflect::{Kind, MessageDescriptor};

use crate::name;

/// The fields of a count, and its bound.
pub(super) struct Counted {
    pub(crate) show: String,
    pub(crate) size: String,
    pub(crate) capped: String,
    pub(crate) at_most: i32,
}

/// The count of a list, if it has one.
pub(crate) fn total(method: &Method, list: &List) -> Result<Option<Counted>, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let Some(total) = &list.total else { return Ok(None) };
    if list.narrow || list.search.is_some() {
        return Err(format!("{place}: `total` is not for a list with `narrow` or `search`: leave it out").into());
    }
    let field = |of: MessageDescriptor, said: &str, default: &str, kind: Kind| {
        let wanted = if said.is_empty() { default } else { said };
        let found = of.get_field_by_name(wanted).filter(|field| field.kind() == kind && !field.is_list());
        found
            .map(|field| name::field(&field))
            .ok_or_else(|| format!("{place}: `total` needs the field {wanted}: add it"))
    };
    let (input, output) = (method.descriptor.input(), method.output());
    Ok(Some(Counted {
        show: field(input, &total.show, "show_total", Kind::Bool)?,
        size: field(output.clone(), &total.size, "total_size", Kind::Int32)?,
        capped: field(output, &total.capped, "total_is_capped", Kind::Bool)?,
        at_most: if total.at_most == 0 { 1_000 } else { total.at_most.clamp(1, 10_000) },
    }))
}

/// The code that counts, and the fields of the answer that it fills.
pub(super) fn code(
    total: Option<Counted>,
    entity: &str,
    role: &str,
    range: Option<String>,
    filters: &str,
) -> (String, String) {
    let Some(Counted { show, size, capped, at_most }) = total else { return (String::new(), String::new()) };
    (
        format!(
            "let (size, capped) = if request.{show} {{ call.count_entities::<{entity}>({role}, {}, &[{filters}], {at_most}).await? }} else {{ (0, false) }};",
            range.unwrap_or_else(|| "Default::default()".to_owned())
        ),
        format!("{size}: size, {capped}: capped,"),
    )
}
