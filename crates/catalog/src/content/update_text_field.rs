//! Sets a text or a rich text of a draft.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::draft::{admit_field, check_value};
use crate::contract::v1::{ContentEntry, ContentFieldType, ContentValue, UpdateTextFieldRequest};

impl CheckRequest<UpdateTextFieldRequest> for ContentEntry {
    async fn check_request(call: &Call, entry: Option<&Self>, request: &UpdateTextFieldRequest) -> Result<()> {
        let kinds = [ContentFieldType::Text, ContentFieldType::RichText];
        let _ = admit_field(call, entry, &request.field_key, &kinds).await?;
        if request.text.is_empty() {
            return Ok(());
        }
        check_value(call, entry, &build_value(request), "").await
    }
}

impl Edit<UpdateTextFieldRequest> for ContentEntry {
    fn edit(&mut self, request: &UpdateTextFieldRequest, _context: &EditContext) -> Result<()> {
        if request.text.is_empty() {
            self.remove_value(&request.field_key, request.locale);
        } else {
            self.put_value(build_value(request));
        }
        Ok(())
    }
}

fn build_value(request: &UpdateTextFieldRequest) -> ContentValue {
    ContentValue {
        field_key: request.field_key.clone(),
        locale: request.locale,
        text: request.text.clone(),
        ..ContentValue::default()
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Locale;

    use super::*;

    #[test]
    fn each_locale_has_a_text_of_its_own() {
        let mut entry = ContentEntry::default();
        let mut put = |locale: Locale, text: &str| {
            let request = UpdateTextFieldRequest {
                field_key: "heading".to_owned(),
                locale: locale.into(),
                text: text.to_owned(),
                ..UpdateTextFieldRequest::default()
            };
            entry.edit(&request, &EditContext::at(0)).unwrap();
            entry.draft.iter().map(|value| value.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(put(Locale::EnUs, "Plans"), ["Plans"]);
        assert_eq!(put(Locale::EsUs, "Planes"), ["Plans", "Planes"]);
        assert_eq!(put(Locale::EnUs, "Our plans"), ["Our plans", "Planes"]);
        assert_eq!(put(Locale::EnUs, ""), ["Planes"]);
    }
}
