//! Lets the draft of a questionnaire go live.

use pavise_kernel::{Call, CheckRequest, Edit, EditContext, Result};

use super::support::templates::check_templates;
use crate::contract::v1::{PublishQuestionRequest, Question};

impl CheckRequest<PublishQuestionRequest> for Question {
    async fn check_request(call: &Call, entity: Option<&Self>, _request: &PublishQuestionRequest) -> Result<()> {
        match entity.filter(|question| question.draft.is_some()) {
            Some(question) => check_templates(call, &question.template_ids).await,
            None => Ok(()),
        }
    }
}

impl Edit<PublishQuestionRequest> for Question {
    fn edit(&mut self, _request: &PublishQuestionRequest, _context: &EditContext) -> Result<()> {
        match self.draft.take() {
            Some(draft) => self.go_live(&draft, "draft"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Locale, LocalizedText};

    use super::*;
    use crate::contract::v1::{
        ErrorReason, PutQuestionRequest, QuestionContent, QuestionItem, QuestionItemType, QuestionPage, QuestionStatus,
    };

    fn content(id: &str) -> QuestionContent {
        let texts = || vec![LocalizedText { locale: Locale::EnUs.into(), text: "x".to_owned() }];
        let kind = QuestionItemType::Text.into();
        let item = QuestionItem { id: id.to_owned(), r#type: kind, labels: texts(), ..QuestionItem::default() };
        let page = QuestionPage { id: "p".to_owned(), titles: texts(), items: vec![item], ..QuestionPage::default() };
        QuestionContent { titles: texts(), locales: vec![Locale::EnUs.into()], pages: vec![page], ..Default::default() }
    }

    fn put(question: &mut Question, id: &str, draft: bool) {
        let request = PutQuestionRequest { content: Some(content(id)), draft, ..PutQuestionRequest::default() };
        question.edit(&request, &EditContext::at(0)).unwrap();
    }

    #[test]
    fn a_draft_leaves_what_is_live_and_a_repeat_makes_no_version() {
        let mut question = Question::default();
        put(&mut question, "a", false);
        assert_eq!((question.status(), question.live_version), (QuestionStatus::Active, 1));
        put(&mut question, "b", true);
        assert_eq!((&question.content, &question.draft), (&Some(content("a")), &Some(content("b"))));
        question.edit(&PublishQuestionRequest::default(), &EditContext::at(0)).unwrap();
        assert_eq!((&question.content, &question.draft), (&Some(content("b")), &None));
        assert_eq!(question.live_version, 2);
        question.edit(&PublishQuestionRequest::default(), &EditContext::at(0)).unwrap();
        put(&mut question, "b", false);
        assert_eq!(question.live_version, 2, "nothing is new");
        put(&mut question, "b", true);
        assert_eq!(question.draft, None, "it is what is live");
    }

    #[test]
    fn what_cannot_be_answered_does_not_go_live() {
        let mut question = Question { draft: Some(content("a")), ..Question::default() };
        if let Some(draft) = &mut question.draft {
            draft.titles.clear();
        }
        let refused = question.edit(&PublishQuestionRequest::default(), &EditContext::at(0)).unwrap_err();
        assert!(refused.is(ErrorReason::QuestionIncomplete));
        assert_eq!(refused.violations()[0].field, "draft.titles");
    }
}
