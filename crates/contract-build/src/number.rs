//! Numbers that a commit gives: the field, its series and its width.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::{Aggregate, is_output_only};
use prost_reflect::Kind;

use crate::name;
use crate::unique::single;

/// The most digits of a count.
const WIDEST: i32 = 18;

/// A part of a series.
enum Part {
    Text(String),
    Year,
    ShortYear,
    /// A text of the entity.
    Field(String),
    /// An enumeration of the entity.
    Spelling(String),
}

/// The code that answers where an entity's number is kept, and the series that it belongs to.
pub(crate) fn code(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let Some(number) = &aggregate.options.number else { return Ok(()) };
    let place = aggregate.descriptor.full_name();
    let field = aggregate.descriptor.get_field_by_name(&number.field).filter(name::is_string);
    let field = field.filter(|field| !field.supports_presence());
    let field =
        field.ok_or_else(|| format!("{place}: number.field names {:?}, which is no text field of it", number.field))?;
    if !is_output_only(&field) {
        return Err(format!(
            "{place}: the number {} is given by the commit: make the field `output_only`",
            field.name()
        )
        .into());
    }
    let found = aggregate
        .options
        .lookups
        .iter()
        .any(|lookup| lookup.field == number.field && lookup.unique && lookup.within.is_empty());
    if !found {
        return Err(format!(
            "{place}: the number {} is no unique lookup: add `{{field unique: true}}` to the lookups",
            field.name()
        )
        .into());
    }
    if !(1..=WIDEST).contains(&number.width) {
        return Err(format!("{place}: a number has 1 to {WIDEST} digits, not {}", number.width).into());
    }
    let mut series = String::new();
    for part in parts(aggregate, &number.series).map_err(|problem| format!("{place}: number.series {problem}"))? {
        let push = match part {
            Part::Text(said) => format!("series.push_str({said:?});"),
            Part::Year => "series.push_str(&format!(\"{:04}\", ::pavise_kernel::time::to_date(at).year));".to_owned(),
            Part::ShortYear => {
                "series.push_str(&format!(\"{:02}\", ::pavise_kernel::time::to_date(at).year.rem_euclid(100)));"
                    .to_owned()
            }
            Part::Field(ident) => format!("series.push_str(&self.{ident});"),
            Part::Spelling(ident) => format!("series.push_str(self.{ident}().spelling());"),
        };
        series.push_str(&push);
    }
    let at = if series.contains("(at)") { "at" } else { "_at" };
    writeln!(
        text,
        "fn numbering(&mut self, {at}: ::pavise_kernel::time::Micros) -> Option<::pavise_kernel::numbers::NumberField<'_>> {{
            let mut series = String::new(); {series}
            Some(::pavise_kernel::numbers::NumberField {{ field: &mut self.{}, series, width: {} }})
        }}",
        name::field(&field),
        number.width
    )?;
    Ok(())
}

/// The parts of a series' template.
fn parts(aggregate: &Aggregate, template: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let (text, reference) = rest.split_at(at);
        let closed = reference.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let (inside, after) = closed.ok_or_else(|| format!("has a brace without a partner: {template:?}"))?;
        if !text.is_empty() {
            parts.push(Part::Text(text.to_owned()));
        }
        parts.push(match inside {
            "yyyy" => Part::Year,
            "yy" => Part::ShortYear,
            named => {
                let field = single(aggregate, named)
                    .ok_or_else(|| format!("names {named}, which is no text or enumeration of it"))?;
                let ident = name::field(&field);
                match field.kind() {
                    Kind::Enum(_) => Part::Spelling(ident),
                    _ if field.supports_presence() => {
                        return Err(format!("names {named}, which can be absent"));
                    }
                    _ => Part::Field(ident),
                }
            }
        });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}
