//! Earlier values that a new answer begins with.

use std::collections::HashSet;

use super::values::admit_values;
use crate::contract::v1::AnswerValue;
use crate::shared::logic::ContentIndex;

/// Carries earlier values over by the ids of their items, but for those that the request gives itself. Answers all values,
/// and the items whose values the questionnaire does not take any more.
pub(crate) fn carry_over(
    index: &ContentIndex<'_>,
    earlier: Vec<AnswerValue>,
    given: Vec<AnswerValue>,
) -> (Vec<AnswerValue>, Vec<String>) {
    let own: HashSet<String> = given.iter().map(|value| value.item_id.clone()).collect();
    let (mut values, mut lost) = (given, Vec::new());
    for value in earlier {
        if own.contains(&value.item_id) {
            continue;
        }
        let id = value.item_id.clone();
        match admit_values(index, vec![value]) {
            Ok(admitted) => values.extend(admitted),
            Err(_) if !lost.contains(&id) => lost.push(id),
            Err(_) => {}
        }
    }
    (values, lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{QuestionContent, QuestionItem, QuestionItemType, QuestionPage};

    #[test]
    fn values_are_carried_over_by_their_items_and_the_lost_ones_are_named() {
        let item = |id: &str, kind: QuestionItemType| QuestionItem {
            id: id.to_owned(),
            r#type: kind.into(),
            ..QuestionItem::default()
        };
        let items = vec![item("a", QuestionItemType::Text), item("b", QuestionItemType::Number)];
        let pages = vec![QuestionPage { items, ..QuestionPage::default() }];
        let content = QuestionContent { pages, ..QuestionContent::default() };
        let text = |id: &str, text: &str| AnswerValue {
            item_id: id.to_owned(),
            text: text.to_owned(),
            ..AnswerValue::default()
        };
        let earlier = vec![text("a", "old"), text("b", "two"), text("gone", "x"), text("gone", "y")];
        let index = ContentIndex::new(&content);
        let (values, lost) = carry_over(&index, earlier.clone(), vec![text("a", "new")]);
        assert_eq!((values, lost), (vec![text("a", "new")], vec!["b".to_owned(), "gone".to_owned()]));
        let (values, _) = carry_over(&index, earlier, Vec::new());
        assert_eq!(values, [text("a", "old")]);
    }
}
