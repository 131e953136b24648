//! The templates of the platform's own letters: codes, changes of a sign-in, invitations, questionnaires, bills. They are there from
//! the first start on. Staff change their words; nobody deletes them.

mod billing_texts;
mod document_texts;
mod texts;

use pavise_kernel::common::v1::Locale;
use prost_types::Timestamp;
use texts::{LetterText, LetterTexts};

use crate::contract::v1::*;

/// A gap: its name, what may stand in it, and a sample.
type Gap = (&'static str, TemplateValueKind, &'static str);

/// A built-in template.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuiltInTemplate {
    /// Its key.
    pub(crate) key: &'static str,
    category: NotificationCategory,
    gaps: &'static [Gap],
    texts: &'static LetterTexts,
}

const CODE: Gap = ("code", TemplateValueKind::Code, "ABCDE-12345");

/// The built-in templates.
pub(crate) const BUILT_IN: [BuiltInTemplate; 25] = [
    security(
        "security.password-reset",
        &[CODE, ("user", TemplateValueKind::Text, "70000000-0000-4000-8000-000000000001")],
        &texts::PASSWORD_RESET,
    ),
    security("security.password-changed", &[], &texts::PASSWORD_CHANGED),
    security("security.password-invalidated", &[], &texts::PASSWORD_INVALIDATED),
    security("security.sessions-revoked", &[], &texts::SESSIONS_REVOKED),
    security("security.factor-code", &[("code", TemplateValueKind::Code, "123456")], &texts::FACTOR_CODE),
    security("security.factor-changed", &[], &texts::FACTOR_CHANGED),
    security("security.names-changed", &[], &texts::NAMES_CHANGED),
    security("security.email-code", &[CODE], &texts::EMAIL_CODE),
    security("security.acted-for", &[], &texts::ACTED_FOR),
    security(
        "security.names-held",
        &[
            CODE,
            ("added", TemplateValueKind::Text, "countess"),
            ("removed", TemplateValueKind::Text, "ada"),
            ("primary", TemplateValueKind::Text, "ada@example.com"),
        ],
        &texts::NAMES_HELD,
    ),
    BuiltInTemplate {
        key: "account.invitation",
        category: NotificationCategory::Account,
        gaps: &[
            ("code", TemplateValueKind::Code, "0123-4567-89AB-CDEF-0123-4567-89"),
            ("inviter", TemplateValueKind::Text, "ada@example.com"),
            ("path", TemplateValueKind::Text, "/app/invitations/70000000-0000-4000-8000-000000000001"),
        ],
        texts: &texts::INVITATION,
    },
    document("documents.reminder", &document_texts::REMINDER),
    document("documents.submitted", &document_texts::SUBMITTED),
    document("documents.ready", &document_texts::READY),
    bill("billing.renewal", &[NAME, AMOUNT, DAY], &billing_texts::RENEWAL),
    bill("billing.receipt", &[NAME, AMOUNT, NUMBER], &billing_texts::RECEIPT),
    bill(
        "billing.refused",
        &[
            NAME,
            AMOUNT,
            ("reason", TemplateValueKind::Text, "INSUFFICIENT_FUNDS"),
            ("next", TemplateValueKind::Date, "2026-03-04"),
        ],
        &billing_texts::REFUSED,
    ),
    bill("billing.suspended", &[NAME, PLAN, DAY], &billing_texts::SUSPENDED),
    bill("billing.last-warning", &[NAME, PLAN, DAY], &billing_texts::LAST_WARNING),
    bill(
        "billing.card-expiring",
        &[NAME, ("card", TemplateValueKind::Text, "1111"), DAY],
        &billing_texts::CARD_EXPIRING,
    ),
    bill("billing.refunded", &[NAME, AMOUNT, NUMBER], &billing_texts::REFUNDED),
    bill("billing.refund-failed", &[NAME, AMOUNT], &billing_texts::REFUND_FAILED),
    bill("billing.invoice", &[NAME, AMOUNT, NUMBER, DAY], &billing_texts::INVOICE),
    bill("billing.changed", &[NAME, PLAN, AMOUNT, DAY], &billing_texts::CHANGED),
    bill(
        "billing.repricing",
        &[
            NAME,
            PLAN,
            ("old_price", TemplateValueKind::Money, "29.95 USD"),
            ("price", TemplateValueKind::Money, "34.95 USD"),
            DAY,
        ],
        &billing_texts::REPRICING,
    ),
];

const NAME: Gap = ("name", TemplateValueKind::Text, "Ada");
const AMOUNT: Gap = ("amount", TemplateValueKind::Money, "29.95 USD");
const DAY: Gap = ("day", TemplateValueKind::Date, "2026-03-31");
const NUMBER: Gap = ("number", TemplateValueKind::Text, "INV-26-000123");
const PLAN: Gap = ("plan", TemplateValueKind::Text, "Legal");

/// A letter about a bill. The domain billing fills its gaps; the name is empty for a reader without one.
const fn bill(key: &'static str, gaps: &'static [Gap], texts: &'static LetterTexts) -> BuiltInTemplate {
    BuiltInTemplate { key, category: NotificationCategory::Billing, gaps, texts }
}

const fn security(key: &'static str, gaps: &'static [Gap], texts: &'static LetterTexts) -> BuiltInTemplate {
    BuiltInTemplate { key, category: NotificationCategory::Security, gaps, texts }
}

/// A letter of a questionnaire. The domain documents fills its gaps; the name is empty for a reader without one.
const fn document(key: &'static str, texts: &'static LetterTexts) -> BuiltInTemplate {
    const GAPS: &[Gap] = &[("name", TemplateValueKind::Text, "Ada"), ("title", TemplateValueKind::Text, "Last will")];
    BuiltInTemplate { key, category: NotificationCategory::Account, gaps: GAPS, texts }
}

impl BuiltInTemplate {
    /// The template as it is at first: published at that time.
    pub(in crate::notifications) fn build_template(&self, at: Timestamp) -> NotificationTemplate {
        let variables: Vec<TemplateVariable> = self.gaps.iter().map(build_variable).collect();
        let [english, spanish, french] = self.texts;
        let contents: Vec<TemplateContent> =
            [(Locale::EnUs, english), (Locale::EsUs, spanish), (Locale::EnCa, english), (Locale::FrCa, french)]
                .into_iter()
                .flat_map(|(locale, text)| text.build_contents(locale))
                .collect();
        NotificationTemplate {
            id: self.key.to_owned(),
            status: NotificationTemplateStatus::Published.into(),
            key: self.key.to_owned(),
            category: self.category.into(),
            types: vec![NotificationType::Email.into(), NotificationType::Sms.into()],
            published: Some(PublishedTemplate {
                number: 1,
                published_at: Some(at),
                variables: variables.clone(),
                contents: contents.clone(),
            }),
            variables,
            contents,
            built_in: true,
            ..NotificationTemplate::default()
        }
    }
}

impl LetterText {
    /// The contents in a locale: a mail and a text message.
    fn build_contents(&self, locale: Locale) -> [TemplateContent; 2] {
        let content = |channel: NotificationType, subject: &str, text: &str| TemplateContent {
            r#type: channel.into(),
            locale: locale.into(),
            subject: subject.to_owned(),
            text: text.to_owned(),
            html: String::new(),
        };
        [content(NotificationType::Email, self.subject, self.text), content(NotificationType::Sms, "", self.short)]
    }
}

fn build_variable((name, kind, sample): &Gap) -> TemplateVariable {
    TemplateVariable { name: (*name).to_owned(), kind: (*kind).into(), sample: (*sample).to_owned() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pavise_kernel::aggregate::Invariants as _;
    use pavise_kernel::{Edit as _, EditContext};

    use super::*;
    use crate::shared::template_text::find_gaps;

    #[test]
    fn each_can_be_published_as_it_is_and_uses_every_gap() {
        for built_in in BUILT_IN {
            let mut template = built_in.build_template(Timestamp::default());
            template.check().unwrap();
            template.published = None;
            template.edit(&PublishNotificationTemplateRequest::default(), &EditContext::at(9)).unwrap();
            let is_code = |variable: &TemplateVariable| variable.kind() == TemplateValueKind::Code;
            let has_code = template.variables.iter().any(is_code);
            assert_eq!(template.contents.len(), 8, "two channels in four locales");
            for content in &template.contents {
                let gaps = find_gaps(&content.text).unwrap();
                assert_eq!(gaps.contains("code"), has_code, "{} {:?}", template.key, content.locale());
                assert!(!content.subject.contains("code }"), "a subject is shown on locked screens");
            }
            let mail = template.contents.first().unwrap();
            let used: BTreeSet<String> =
                [&mail.subject, &mail.text].into_iter().flat_map(|text| find_gaps(text).unwrap()).collect();
            assert!(template.variables.iter().all(|variable| used.contains(&variable.name)), "{}", template.key);
        }
        let keys: BTreeSet<&str> = BUILT_IN.iter().map(|one| one.key).collect();
        assert_eq!(keys.len(), BUILT_IN.len());
    }
}
