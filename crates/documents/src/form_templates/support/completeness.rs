//! Checks that forms can be made of a template.

use std::collections::BTreeSet;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{ErrorReason, File, FileContainer, FormFieldSource, FormVariant, FormVariantKind};
use crate::files::support::named::is_kept;
use crate::shared::filling::{find_gaps, list_pdf_fields, load_template_file};
use crate::shared::violations::Violations;

/// Checks that each variant has a file of its kind. With `fields`, that each file has all of them.
///
/// # Errors
/// `TEMPLATE_INCOMPLETE`, with a violation for each place.
pub(crate) async fn check_variants(
    call: &Call,
    variants: &[FormVariant],
    fields: Option<&[FormFieldSource]>,
) -> Result<()> {
    let mut faults = Violations::default();
    if fields.is_some() && variants.is_empty() {
        faults.add("variants", "a template has a variant at least");
    }
    for (place, variant) in variants.iter().enumerate() {
        let found: Option<File> = call.find_unscoped(&variant.file_id).await?;
        let found = found.filter(|file| is_kept(file) && file.container() == FileContainer::Form);
        let Some(file) = found.filter(|file| file.content_type == type_of(variant.kind())) else {
            let why = format!("names no file of the container FORM and of type {}", type_of(variant.kind()));
            faults.add(format!("variants[{place}].file_id"), why);
            continue;
        };
        let Some(fields) = fields else { continue };
        match list_names(call, variant.kind(), &file).await {
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => faults.add(format!("variants[{place}].file_id"), error.message()),
            Ok(Ok(names)) => {
                for (at, source) in fields.iter().enumerate().filter(|(_, source)| !names.contains(&source.field)) {
                    let why = format!("the file of the variant {} has no field {}", variant.id, source.field);
                    faults.add(format!("fields[{at}].field"), why);
                }
            }
            Ok(Err(cause)) => faults.add(format!("variants[{place}].file_id"), cause),
        }
    }
    faults.refuse_as(ErrorReason::TemplateIncomplete)
}

async fn list_names(call: &Call, kind: FormVariantKind, file: &File) -> Result<Result<BTreeSet<String>, String>> {
    let content = load_template_file(call, file).await?;
    Ok(match kind {
        FormVariantKind::Html => find_gaps(&content),
        _ => list_pdf_fields(content).await?.map(|fields| fields.into_iter().map(|field| field.name).collect()),
    })
}

fn type_of(kind: FormVariantKind) -> &'static str {
    match kind {
        FormVariantKind::Html => "text/html",
        FormVariantKind::Pdf | FormVariantKind::Unspecified => "application/pdf",
    }
}
