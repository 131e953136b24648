//! Fills templates of forms.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use futures::TryStreamExt as _;
use minijinja::{AutoEscape, Environment};
use pavise_kernel::bytes::Chunks;
use pavise_kernel::common::v1::{Date, Locale, RegionCode};
use pavise_kernel::files::Files;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Error, Result};
use pavise_pdf::{FillFault, FormField, FormFieldKind};

use crate::contract::v1::{
    Answer, ErrorReason, File, FormFieldSource, FormTemplate, FormVariant, FormVariantKind, QuestionContent,
    QuestionItemType,
};
use crate::files::support::download::find_content;
use crate::files::support::pages::print_error;
use crate::shared::answer_text::{ReaderWords, pick_value};
use crate::shared::logic::ContentIndex;
use crate::shared::tools::Tools as _;

/// The most bytes of a template's file.
const LARGEST: i64 = 10 << 20;
/// The most steps of a page's rendering.
const FUEL: u64 = 200_000;
/// The most bytes of a rendered page.
const LONGEST: usize = 4 << 20;

/// The variant for a region and a language on a day. One of its own wins over one that is for each.
///
/// # Errors
/// `NO_VARIANT`.
pub(crate) fn choose_variant(
    template: &FormTemplate,
    (region, locale): (RegionCode, Locale),
    day: Date,
) -> Result<&FormVariant> {
    let day = to_days(day);
    let is_effective = |variant: &&FormVariant| {
        variant.effective_from.is_none_or(|from| to_days(from) <= day)
            && variant.effective_until.is_none_or(|until| day <= to_days(until))
    };
    let fits = |variant: &&FormVariant| {
        (variant.region() == region || variant.region() == RegionCode::Unspecified)
            && (variant.locale() == locale || variant.locale() == Locale::Unspecified || locale == Locale::Unspecified)
    };
    let rank = |variant: &&FormVariant| {
        let wanted = if locale == Locale::Unspecified { Locale::EnUs } else { locale };
        (variant.region() == region, variant.locale() == wanted, variant.effective_from.map_or(i64::MIN, to_days))
    };
    template.variants.iter().filter(is_effective).filter(fits).max_by_key(rank).ok_or_else(|| {
        let place = if region == RegionCode::Unspecified { "this place" } else { region.spelling() };
        Error::new(ErrorReason::NoVariant, format!("the template {} has no form for {place} today", template.name))
    })
}

/// Fills a variant, with the values of an answer and with others, which win. Answers the PDF.
///
/// # Errors
/// `NOT_FILLED`, `NOT_PRINTED`, `NOT_CONFIGURED`, `FILE_NOT_AVAILABLE`, UNAVAILABLE.
pub(crate) async fn fill_variant(
    call: &Call,
    (template, variant): (&FormTemplate, &FormVariant),
    locale: Locale,
    answer: Option<(&Answer, &QuestionContent)>,
    values: BTreeMap<String, String>,
) -> Result<Vec<u8>> {
    let file: Option<File> = call.find_unscoped(&variant.file_id).await?;
    let file = file.ok_or_else(|| Error::internal(format!("the variant {} names no file", variant.id)))?;
    let content = load_template_file(call, &file).await?;
    if variant.kind() == FormVariantKind::Html {
        let all = join_values(&template.fields, &HashSet::new(), locale, answer, values);
        let page = render_page(&content, &all)?;
        return call.tools()?.printer.print_html(page).await.map_err(print_error);
    }
    let fields = list_pdf_fields(content.clone()).await?.map_err(|cause| Error::new(ErrorReason::NotFilled, cause))?;
    let boxes = fields.into_iter().filter(|field| field.kind == FormFieldKind::Check).map(|field| field.name).collect();
    let all = join_values(&template.fields, &boxes, locale, answer, values);
    let filled = tokio::task::spawn_blocking(move || pavise_pdf::fill_form(&content, &all)).await;
    filled.map_err(Error::internal)?.map_err(fill_error)
}

/// The values of an answer by field, and those that win over them.
fn join_values(
    sources: &[FormFieldSource],
    boxes: &HashSet<String>,
    locale: Locale,
    answer: Option<(&Answer, &QuestionContent)>,
    values: BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    if let Some((answer, content)) = answer {
        let (index, wording) = (ContentIndex::new(content), ReaderWords::of(locale));
        for source in sources {
            let Some(place) = index.find_item(&source.item_id).and_then(|at| index.items.get(at)) else { continue };
            let Some(value) = pick_value(&answer.values, &source.item_id, source.row) else { continue };
            let is_box = boxes.contains(&source.field);
            let text = if !source.choice.is_empty() {
                // Of several choices for one field, the chosen one checks it.
                if !value.choices.contains(&source.choice) {
                    continue;
                }
                if is_box { "true".to_owned() } else { wording.mark().to_owned() }
            } else if is_box && place.item.r#type() == QuestionItemType::Boolean {
                value.boolean.unwrap_or_default().to_string()
            } else {
                wording.show_value(place.item, value, &BTreeMap::new())
            };
            all.insert(source.field.clone(), text);
        }
    }
    all.extend(values);
    all
}

/// The refusal of a form that cannot be filled.
fn fill_error(fault: FillFault) -> Error {
    let error = Error::new(ErrorReason::NotFilled, fault.to_string());
    match fault {
        FillFault::Letter { field, letter } => {
            error.violation("values", format!("{field}: the font of the form has no letter {letter}"))
        }
        FillFault::TooLong(field) => error.violation("values", format!("{field}: the value does not fit")),
        FillFault::NotAnOption { field, options } => {
            error.violation("values", format!("{field}: is one of {}", options.join(", ")))
        }
        FillFault::NoForm(_) => error,
    }
}

/// The content of a template's file.
///
/// # Errors
/// `FILE_NOT_AVAILABLE`, `NOT_FILLED` for one that is too large, UNAVAILABLE.
pub(crate) async fn load_template_file(call: &Call, file: &File) -> Result<Vec<u8>> {
    let stored = find_content(file)?;
    if file.size > LARGEST {
        return Err(Error::new(ErrorReason::NotFilled, format!("the file of a template has {LARGEST} bytes at most")));
    }
    let bytes: Chunks = call.find_provided::<Files>()?.file_store().read(&stored.key, 0..stored.size).await?;
    Ok(bytes.try_collect::<Vec<_>>().await?.concat())
}

/// The fields of a PDF, or what is wrong with it.
///
/// # Errors
/// `INTERNAL`.
pub(crate) async fn list_pdf_fields(content: Vec<u8>) -> Result<Result<Vec<FormField>, String>> {
    let listed =
        tokio::task::spawn_blocking(move || pavise_pdf::list_fields(&content)).await.map_err(Error::internal)?;
    Ok(listed.map_err(|fault| fault.to_string()))
}

/// The gaps of a page, or what is wrong with it.
pub(crate) fn find_gaps(page: &[u8]) -> Result<BTreeSet<String>, String> {
    let page = std::str::from_utf8(page).map_err(|_| "it is not UTF-8".to_owned())?;
    let environment = Environment::empty();
    let template = environment.template_from_str(page).map_err(|error| error.to_string())?;
    Ok(template.undeclared_variables(false).into_iter().collect())
}

/// The page with its gaps filled. What has no value stays empty; no value becomes markup.
fn render_page(page: &[u8], values: &BTreeMap<String, String>) -> Result<String> {
    let refused = |cause: String| Error::new(ErrorReason::NotFilled, format!("the page of the template: {cause}"));
    let page = std::str::from_utf8(page).map_err(|_| refused("it is not UTF-8".to_owned()))?;
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_fuel(Some(FUEL));
    let template = environment.template_from_str(page).map_err(|error| refused(error.to_string()))?;
    let rendered = template.render(values).map_err(|error| refused(error.to_string()))?;
    if rendered.len() > LONGEST { Err(refused("it is too long".to_owned())) } else { Ok(rendered) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(id: &str, region: RegionCode, locale: Locale, from: Option<i32>) -> FormVariant {
        FormVariant {
            id: id.to_owned(),
            region: region.into(),
            locale: locale.into(),
            effective_from: from.map(|year| Date { year, month: 1, day: 1 }),
            ..FormVariant::default()
        }
    }

    #[test]
    fn the_nearest_variant_is_chosen() {
        let (any, every) = (RegionCode::Unspecified, Locale::Unspecified);
        let variants = vec![
            variant("any", any, every, None),
            variant("any-es", any, Locale::EsUs, None),
            variant("tx", RegionCode::Tx, every, None),
            variant("tx-later", RegionCode::Tx, every, Some(2030)),
        ];
        let template = FormTemplate { variants, ..FormTemplate::default() };
        let choose = |region, locale, year| {
            let day = Date { year, month: 6, day: 1 };
            choose_variant(&template, (region, locale), day).map(|one| one.id.clone()).unwrap_or_default()
        };
        assert_eq!(choose(RegionCode::Ok, Locale::EnUs, 2026), "any");
        assert_eq!(choose(RegionCode::Ok, Locale::EsUs, 2026), "any-es");
        assert_eq!(choose(RegionCode::Tx, Locale::EsUs, 2026), "tx", "a place's law comes before the language");
        assert_eq!(choose(RegionCode::Tx, Locale::EnUs, 2031), "tx-later");
        let none = FormTemplate {
            name: "will".to_owned(),
            variants: vec![variant("a", RegionCode::Tx, every, Some(2030))],
            ..template.clone()
        };
        let refused =
            choose_variant(&none, (RegionCode::Tx, every), Date { year: 2026, month: 1, day: 1 }).unwrap_err();
        assert!(refused.is(ErrorReason::NoVariant));
    }

    #[test]
    fn no_value_becomes_markup() {
        let values = BTreeMap::from([("name".to_owned(), "<script>&".to_owned())]);
        let page = render_page(b"<p>{{ name }}</p>{{ other }}", &values).unwrap();
        assert_eq!(page, "<p>&lt;script&gt;&amp;</p>");
        assert!(render_page(b"{{ name", &values).unwrap_err().is(ErrorReason::NotFilled));
        assert!(render_page(b"{% for a in range(9999999) %}x{% endfor %}", &values).is_err());
        assert_eq!(find_gaps(b"{{ a }} {% if b %}{% endif %}").unwrap().into_iter().collect::<Vec<_>>(), ["a", "b"]);
    }
}
