//! Fills a template with values, and answers the PDF.

use std::collections::BTreeMap;

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{
    ErrorReason, Form, FormTemplate, FormTemplateStatus, FormValue, PopulateRequest, PopulateResponse,
};
use crate::form_templates::rules::absent_error;
use crate::shared::filling::{choose_variant, fill_variant};

/// The most bytes of an answer.
const LARGEST: usize = 3 << 20;

pub(crate) async fn populate(call: &Call, request: PopulateRequest) -> Result<PopulateResponse> {
    let template: Option<FormTemplate> = call.find_unscoped(&request.template_id).await?;
    let template = template.filter(|one| one.status() == FormTemplateStatus::Active).ok_or_else(absent_error)?;
    let variant = choose_variant(&template, (request.region(), request.locale()), call.today())?;
    let values = to_map(&request.values);
    let content = fill_variant(call, (&template, variant), request.locale(), None, values).await?;
    if content.len() > LARGEST {
        let why = format!("the PDF has more than {LARGEST} bytes: make a form, and download its file");
        return Err(Error::new(ErrorReason::NotFilled, why));
    }
    let mut answer = PopulateResponse { content, content_type: "application/pdf".to_owned(), form: None };
    let mut unit = call.unit();
    if request.store {
        let form = Form {
            owner_id: call.owner().to_owned(),
            region: request.region,
            locale: request.locale,
            template_id: request.template_id,
            values: request.values,
            ..Form::default()
        };
        answer.form = Some(unit.create(form)?);
    }
    unit.commit_answer(answer).await
}

/// Values by field. Of two for one field, the last counts.
pub(super) fn to_map(values: &[FormValue]) -> BTreeMap<String, String> {
    values.iter().map(|value| (value.field.clone(), value.text.clone())).collect()
}
