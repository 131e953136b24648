//! Makes the draft of a template its published version.

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::*;
use crate::shared::template_text::{SITE, TextFault, find_gaps};

impl Edit<PublishNotificationTemplateRequest> for NotificationTemplate {
    fn edit(&mut self, _request: &PublishNotificationTemplateRequest, context: &EditContext) -> Result<()> {
        let problems = find_problems(self);
        if !problems.is_empty() {
            let error = Error::new(ErrorReason::TemplateIncomplete, "the draft cannot be published");
            return Err(problems.into_iter().fold(error, |error, (field, problem)| error.violation(field, problem)));
        }
        let before = self.published.as_ref();
        let is_same = before.is_some_and(|one| one.variables == self.variables && one.contents == self.contents);
        if is_same && self.status() == NotificationTemplateStatus::Published {
            return Ok(());
        }
        self.published = Some(PublishedTemplate {
            number: before.map_or(0, |one| one.number) + 1,
            published_at: Some(context.timestamp()),
            variables: self.variables.clone(),
            contents: self.contents.clone(),
        });
        self.set_status(NotificationTemplateStatus::Published);
        Ok(())
    }
}

/// The reasons why a draft cannot be published: each a field and a sentence.
fn find_problems(template: &NotificationTemplate) -> Vec<(String, String)> {
    let mut problems = Vec::new();
    for channel in template.types() {
        let is_there = |one: &TemplateContent| one.r#type() == channel && one.locale() == Locale::EnUs;
        if !template.contents.iter().any(is_there) {
            let name = channel.spelling();
            problems.push(("contents".to_owned(), format!("have none of {name} in en-US, which other readers get")));
        }
    }
    for (place, content) in template.contents.iter().enumerate() {
        if content.r#type() == NotificationType::Email && content.subject.trim().is_empty() {
            problems.push((format!("contents[{place}].subject"), "a mail has a subject".to_owned()));
        }
        for (field, source) in [("subject", &content.subject), ("text", &content.text), ("html", &content.html)] {
            let path = format!("contents[{place}].{field}");
            match find_gaps(source) {
                Ok(gaps) => {
                    let unknown =
                        |gap: &&String| **gap != SITE && !template.variables.iter().any(|one| one.name == **gap);
                    problems.extend(
                        gaps.iter()
                            .filter(unknown)
                            .map(|gap| (path.clone(), format!("{gap} is no gap of the template"))),
                    );
                }
                Err(TextFault::Syntax(cause)) => problems.push((path, format!("is no template: {cause}"))),
                Err(TextFault::Missing(_) | TextFault::TooLarge) => problems.push((path, "is too long".to_owned())),
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(contents: Vec<TemplateContent>) -> NotificationTemplate {
        NotificationTemplate {
            types: vec![NotificationType::Email.into()],
            variables: vec![TemplateVariable {
                name: "name".into(),
                kind: TemplateValueKind::Text.into(),
                sample: "Ada".into(),
            }],
            contents,
            ..NotificationTemplate::default()
        }
    }

    fn content(locale: Locale, subject: &str, text: &str) -> TemplateContent {
        TemplateContent {
            r#type: NotificationType::Email.into(),
            locale: locale.into(),
            subject: subject.into(),
            text: text.into(),
            ..TemplateContent::default()
        }
    }

    fn publish(template: &mut NotificationTemplate) -> Result<()> {
        template.edit(&PublishNotificationTemplateRequest::default(), &EditContext::at(9))
    }

    #[test]
    fn a_draft_is_published_with_a_number() {
        let mut one = template(vec![content(Locale::EnUs, "Hello {{ name }}", "Welcome.")]);
        publish(&mut one).unwrap();
        publish(&mut one).unwrap();
        let number = |one: &NotificationTemplate| one.published.as_ref().map_or(0, |published| published.number);
        assert_eq!((number(&one), one.status()), (1, NotificationTemplateStatus::Published), "nothing was changed");
        one.contents[0].text = "Welcome, {{ name }}.".into();
        publish(&mut one).unwrap();
        assert_eq!(number(&one), 2);
    }

    #[test]
    fn an_incomplete_draft_is_refused_with_each_problem() {
        for (contents, fields) in [
            (vec![], vec!["contents"]),
            (vec![content(Locale::FrCa, "Bonjour", "Bienvenue.")], vec!["contents"]),
            (vec![content(Locale::EnUs, " ", "{{ other }}")], vec!["contents[0].subject", "contents[0].text"]),
            (vec![content(Locale::EnUs, "Hi", "{{ name")], vec!["contents[0].text"]),
        ] {
            let refused = publish(&mut template(contents)).unwrap_err();
            assert_eq!(refused.reason(), "TEMPLATE_INCOMPLETE");
            let found: Vec<&str> = refused.violations().iter().map(|one| one.field.as_str()).collect();
            assert_eq!(found, fields);
        }
    }
}
