//! The texts of a template on a channel in a locale.

use std::collections::BTreeMap;

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{NotificationContent, NotificationType, TemplateContent};
use crate::shared::locales::list_fallbacks;
use crate::shared::template_text::{SITE, TextFault, TextForm, flatten_value, render_text};
use crate::shared::values::missing_value_error;

/// The content of a channel in the first of the locale's fallbacks that has one.
pub(in crate::notifications) fn find_content(
    contents: &[TemplateContent],
    channel: NotificationType,
    locale: Locale,
) -> Option<&TemplateContent> {
    let of = |locale: Locale| contents.iter().find(|one| one.r#type() == channel && one.locale() == locale);
    list_fallbacks(locale).iter().find_map(|locale| of(*locale))
}

/// Fills the gaps of a content; that of the pages' address with `site`.
///
/// # Errors
/// `TEMPLATE_VALUE_MISSING`, `INVALID_FIELD`.
pub(in crate::notifications) fn render_content(
    content: &TemplateContent,
    values: &BTreeMap<String, String>,
    site: &str,
) -> Result<NotificationContent> {
    let mut values = values.clone();
    values.insert(SITE.to_owned(), site.trim_end_matches('/').to_owned());
    let render = |source: &str, form| render_text(source, form, &values).map_err(fault_error);
    Ok(NotificationContent {
        subject: flatten_value(&render(&content.subject, TextForm::Plain)?),
        text: render(&content.text, TextForm::Plain)?,
        html: render(&content.html, TextForm::Html)?,
    })
}

fn fault_error(fault: TextFault) -> Error {
    match fault {
        TextFault::Missing(name) => missing_value_error("", &name),
        TextFault::TooLarge => Error::field("values", "make a message that is too long"),
        TextFault::Syntax(cause) => Error::internal(format!("a published template cannot be rendered: {cause}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(channel: NotificationType, locale: Locale) -> TemplateContent {
        TemplateContent { r#type: channel.into(), locale: locale.into(), ..TemplateContent::default() }
    }

    #[test]
    fn a_locale_without_a_content_falls_back() {
        let (email, sms) = (NotificationType::Email, NotificationType::Sms);
        let all = [content(email, Locale::EnUs), content(email, Locale::EnCa), content(sms, Locale::FrCa)];
        let found = |channel, locale| find_content(&all, channel, locale).map(TemplateContent::locale);
        assert_eq!(found(email, Locale::FrCa), Some(Locale::EnCa));
        assert_eq!(found(email, Locale::EsUs), Some(Locale::EnUs));
        assert_eq!(found(sms, Locale::FrCa), Some(Locale::FrCa));
        assert_eq!(found(sms, Locale::EnUs), None);
    }
}
