//! The faults that keep a questionnaire from going live: texts that are not translated, names that nothing has, conditions that lead
//! back to themselves or can never hold.

use std::collections::HashSet;

use pavise_kernel::common::v1::{Currency, Locale, LocalizedText};
use pavise_kernel::time::{is_real, to_days};

use super::evaluate::MOST_ROWS;
use super::index::{ContentIndex, IndexedItem};
use crate::contract::v1::QuestionConditionKind as Kind;
use crate::contract::v1::QuestionItemType as Type;
use crate::contract::v1::{QuestionCondition, QuestionContent, QuestionItem, QuestionOperator, QuestionPage};
use crate::shared::violations::Violations;

/// The most items of a questionnaire.
const MOST_ITEMS: usize = 300;

/// Names each fault with its path below `place`: `content`.
pub(crate) fn find_faults(content: &QuestionContent, place: &str) -> Violations {
    let index = ContentIndex::new(content);
    let mut check = Check { content, index: &index, faults: Violations::default() };
    check.add_texts(&content.titles, &format!("{place}.titles"), true);
    if index.items.len() > MOST_ITEMS {
        check
            .faults
            .add(format!("{place}.pages"), format!("it has {} items, and may have {MOST_ITEMS}", index.items.len()));
    }
    let mut ids = (HashSet::new(), HashSet::new(), HashSet::new());
    for (at, page) in content.pages.iter().enumerate() {
        let place = format!("{place}.pages[{at}]");
        if !ids.0.insert(page.id.as_str()) {
            check.faults.add(format!("{place}.id"), "is there already");
        }
        check.check_page(page, &place);
        for (at, item) in page.items.iter().enumerate() {
            let place = format!("{place}.items[{at}]");
            if !ids.1.insert(item.id.as_str()) {
                check.faults.add(format!("{place}.id"), "is there already");
            }
            check.check_item(page, at, item, &place);
        }
    }
    for (at, condition) in content.conditions.iter().enumerate() {
        let place = format!("{place}.conditions[{at}]");
        if !ids.2.insert(condition.id.as_str()) {
            check.faults.add(format!("{place}.id"), "is there already");
        }
        check.check_condition(condition, &place);
    }
    for (at, way) in find_circles(&index) {
        let way = way.join(", ");
        check.faults.add(format!("{place}.conditions[{at}]"), format!("it leads back to itself: {way}"));
    }
    check.faults
}

struct Check<'c> {
    content: &'c QuestionContent,
    index: &'c ContentIndex<'c>,
    faults: Violations,
}

impl Check<'_> {
    /// Each text is there in each locale of the questionnaire. One that may be missing is missing in all.
    fn add_texts(&mut self, texts: &[LocalizedText], place: &str, is_needed: bool) {
        if texts.is_empty() && !is_needed {
            return;
        }
        for locale in self.content.locales() {
            let is_there = texts.iter().any(|text| text.locale() == locale && !text.text.trim().is_empty());
            if locale != Locale::Unspecified && !is_there {
                self.faults.add(place, format!("there is no text in {}", locale.spelling()));
            }
        }
    }

    fn check_named(&mut self, condition: &str, place: String) {
        if !condition.is_empty() && self.index.find_condition(condition).is_none() {
            self.faults.add(place, format!("there is no condition {condition}"));
        }
    }

    fn check_page(&mut self, page: &QuestionPage, place: &str) {
        self.add_texts(&page.titles, &format!("{place}.titles"), true);
        self.check_named(&page.visible_if, format!("{place}.visible_if"));
        if page.items.is_empty() {
            self.faults.add(format!("{place}.items"), "it has no items");
        }
    }

    fn check_item(&mut self, page: &QuestionPage, at: usize, item: &QuestionItem, place: &str) {
        self.add_texts(&item.labels, &format!("{place}.labels"), true);
        self.add_texts(&item.helps, &format!("{place}.helps"), false);
        for (condition, field) in
            [(&item.visible_if, "visible_if"), (&item.required_if, "required_if"), (&item.stop_if, "stop_if")]
        {
            self.check_named(condition, format!("{place}.{field}"));
        }
        self.add_texts(&item.stop_texts, &format!("{place}.stop_texts"), !item.stop_if.is_empty());
        if item.stop_if.is_empty() && !item.stop_texts.is_empty() {
            self.faults.add(format!("{place}.stop_if"), "a stop text needs a condition");
        }
        self.check_choices(item, place);
        self.check_group(page, at, item, place);
        self.check_form(item, place);
    }

    fn check_choices(&mut self, item: &QuestionItem, place: &str) {
        let chooses = matches!(item.r#type(), Type::Choice | Type::Choices);
        if chooses == item.choices.is_empty() {
            let fault = if chooses { "there is no choice" } else { "only CHOICE and CHOICES have choices" };
            self.faults.add(format!("{place}.choices"), fault);
        }
        let mut ids = HashSet::new();
        for (at, choice) in item.choices.iter().enumerate() {
            if !ids.insert(choice.id.as_str()) {
                self.faults.add(format!("{place}.choices[{at}].id"), "is there already");
            }
            self.add_texts(&choice.labels, &format!("{place}.choices[{at}].labels"), true);
        }
    }

    fn check_group(&mut self, page: &QuestionPage, at: usize, item: &QuestionItem, place: &str) {
        if !item.repeat_id.is_empty() {
            let before = page.items.iter().take(at).find(|other| other.id == item.repeat_id);
            if before.is_none_or(|other| other.r#type() != Type::Repeat) {
                self.faults.add(format!("{place}.repeat_id"), "names no REPEAT before it on its page");
            }
        }
        if item.r#type() != Type::Repeat {
            return;
        }
        if !item.repeat_id.is_empty() {
            self.faults.add(format!("{place}.repeat_id"), "a group cannot lie in another group");
        }
        if !page.items.iter().any(|other| other.repeat_id == item.id) {
            self.faults.add(place, "the group has no items");
        }
    }

    /// Checks the parts that only some types have.
    fn check_form(&mut self, item: &QuestionItem, place: &str) {
        let kind = item.r#type();
        if item.sealed && !matches!(kind, Type::Text | Type::LongText) {
            self.faults.add(format!("{place}.sealed"), "only texts are sealed");
        }
        if item.currency() != Currency::Unspecified && kind != Type::Money {
            self.faults.add(format!("{place}.currency"), "only MONEY has a currency");
        }
        if kind == Type::Info && (item.required || !item.required_if.is_empty()) {
            self.faults.add(format!("{place}.required"), "INFO is not answered");
        }
        let Some(bounds) = item.bounds else { return };
        if bounds.least.zip(bounds.most).is_some_and(|(least, most)| least > most) {
            self.faults.add(format!("{place}.bounds.most"), "it is below the least");
        }
        for (day, end) in [(bounds.earliest, "earliest"), (bounds.latest, "latest")] {
            if day.is_some_and(|day| !is_real(day)) {
                self.faults.add(format!("{place}.bounds.{end}"), "the calendar has no such day");
            }
        }
        if bounds.earliest.zip(bounds.latest).is_some_and(|(first, last)| to_days(last) < to_days(first)) {
            self.faults.add(format!("{place}.bounds.latest"), "it is before the earliest");
        }
    }

    fn check_condition(&mut self, condition: &QuestionCondition, place: &str) {
        for (at, id) in condition.condition_ids.iter().enumerate() {
            self.check_named(id, format!("{place}.condition_ids[{at}]"));
        }
        let parts = condition.condition_ids.len();
        match condition.kind() {
            Kind::All | Kind::Any if parts == 0 => {
                self.faults.add(format!("{place}.condition_ids"), "it has no conditions");
            }
            Kind::Not if parts != 1 => self.faults.add(format!("{place}.condition_ids"), "NOT has one condition"),
            Kind::All | Kind::Any | Kind::Not | Kind::Unspecified => {}
            Kind::Compare | Kind::Answered | Kind::Count | Kind::Age => self.check_item_condition(condition, place),
        }
    }

    fn check_item_condition(&mut self, condition: &QuestionCondition, place: &str) {
        let found = self.index.find_item(&condition.item_id).and_then(|at| self.index.items.get(at).copied());
        let Some(IndexedItem { item, .. }) = found else {
            self.faults.add(format!("{place}.item_id"), format!("there is no item {}", condition.item_id));
            return;
        };
        if item.r#type() == Type::Info {
            self.faults.add(format!("{place}.item_id"), "INFO is not answered");
            return;
        }
        let (kind, operator) = (condition.kind(), condition.operator());
        if kind != Kind::Answered && operator == QuestionOperator::Unspecified {
            self.faults.add(format!("{place}.operator"), "it does not say how to compare");
        }
        match kind {
            Kind::Age if item.r#type() != Type::Date => self.faults.add(format!("{place}.item_id"), "AGE needs a DATE"),
            Kind::Age | Kind::Count if condition.number.is_none() => {
                self.faults.add(format!("{place}.number"), "there is no number");
            }
            Kind::Age => self.check_reached(condition, (Some(0.0), None), place),
            Kind::Count => {
                let most = match item.r#type() {
                    Type::Repeat => most_of(item).or(Some(f64::from(MOST_ROWS))),
                    Type::Choices => u32::try_from(item.choices.len()).ok().map(f64::from),
                    _ => Some(f64::from(MOST_ROWS)),
                };
                self.check_reached(condition, (Some(0.0), most), place);
            }
            Kind::Compare => self.check_comparison(condition, item, place),
            _ => {}
        }
    }

    fn check_comparison(&mut self, condition: &QuestionCondition, item: &QuestionItem, place: &str) {
        let is_ordered = !matches!(condition.operator(), QuestionOperator::Equal | QuestionOperator::NotEqual);
        let text_fault = if condition.text.is_empty() { Some(("text", "there is no text")) } else { None };
        let order_fault = is_ordered.then_some(("operator", "these answers have no order"));
        let fault = match item.r#type() {
            _ if item.sealed => Some(("item_id", "what is sealed is not compared")),
            Type::Number | Type::Money | Type::Repeat if condition.number.is_none() => {
                Some(("number", "there is no number"))
            }
            Type::Number | Type::Money | Type::Repeat => {
                let bounds = item.bounds.unwrap_or_default();
                self.check_reached(condition, (bounds.least, bounds.most), place);
                None
            }
            Type::Date if !condition.date.is_some_and(is_real) => Some(("date", "the calendar has no such day")),
            Type::Date => None,
            Type::Boolean if condition.boolean.is_none() => Some(("boolean", "there is no yes or no")),
            Type::Boolean => order_fault,
            Type::Choice | Type::Choices if !item.choices.iter().any(|choice| choice.id == condition.text) => {
                Some(("text", "it can never hold: the item has no such choice"))
            }
            Type::Choice | Type::Choices => order_fault,
            Type::Text | Type::LongText | Type::Email => text_fault.or(order_fault),
            _ => Some(("item_id", "these answers are not compared")),
        };
        if let Some((field, fault)) = fault {
            self.faults.add(format!("{place}.{field}"), fault);
        }
    }

    /// A number that no answer reaches.
    fn check_reached(&mut self, condition: &QuestionCondition, (least, most): (Option<f64>, Option<f64>), place: &str) {
        let Some(number) = condition.number else { return };
        let below = |limit: Option<f64>| limit.is_some_and(|least| number < least);
        let above = |limit: Option<f64>| limit.is_some_and(|most| number > most);
        let never = match condition.operator() {
            QuestionOperator::Equal => below(least) || above(most),
            QuestionOperator::Less => least.is_some_and(|least| number <= least),
            QuestionOperator::AtMost => below(least),
            QuestionOperator::More => most.is_some_and(|most| number >= most),
            QuestionOperator::AtLeast => above(most),
            QuestionOperator::NotEqual | QuestionOperator::Unspecified => false,
        };
        if never {
            self.faults.add(format!("{place}.number"), "it can never hold: no answer is allowed to be so");
        }
    }
}

fn most_of(item: &QuestionItem) -> Option<f64> {
    item.bounds.and_then(|bounds| bounds.most)
}

/// A node of the graph of what depends on what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Condition(usize),
    Item(usize),
}

/// The conditions that depend on themselves, each circle once, with the names on the way. What an item needs to be shown
/// counts; whether it needs an answer does not.
fn find_circles(index: &ContentIndex<'_>) -> Vec<(usize, Vec<String>)> {
    let (mut done, mut circles) = (HashSet::new(), Vec::new());
    for at in 0..index.conditions.len() {
        let mut way = Vec::new();
        follow(index, Node::Condition(at), &mut way, &mut done, &mut circles);
    }
    circles
}

fn follow(
    index: &ContentIndex<'_>,
    node: Node,
    way: &mut Vec<Node>,
    done: &mut HashSet<Node>,
    circles: &mut Vec<(usize, Vec<String>)>,
) {
    if let Some(from) = way.iter().position(|other| *other == node) {
        let circle = way.get(from..).unwrap_or_default();
        let first = circle.iter().find_map(|node| if let Node::Condition(at) = node { Some(*at) } else { None });
        let names = circle.iter().map(|node| name(index, *node)).collect();
        circles.extend(first.map(|at| (at, names)));
        return;
    }
    if done.contains(&node) {
        return;
    }
    way.push(node);
    for next in list_needs(index, node) {
        follow(index, next, way, done, circles);
    }
    way.pop();
    done.insert(node);
}

fn name(index: &ContentIndex<'_>, node: Node) -> String {
    match node {
        Node::Condition(at) => index.conditions.get(at).map(|condition| condition.id.clone()),
        Node::Item(at) => index.items.get(at).map(|indexed| indexed.item.id.clone()),
    }
    .unwrap_or_default()
}

/// The nodes that a node depends on.
fn list_needs(index: &ContentIndex<'_>, node: Node) -> Vec<Node> {
    let condition = |id: &str| index.find_condition(id).map(Node::Condition);
    match node {
        Node::Condition(at) => {
            let Some(one) = index.conditions.get(at) else { return Vec::new() };
            let item = index.find_item(&one.item_id).map(Node::Item);
            one.condition_ids.iter().filter_map(|id| condition(id)).chain(item).collect()
        }
        Node::Item(at) => {
            let Some(indexed) = index.items.get(at) else { return Vec::new() };
            let shown = [&indexed.page.visible_if, &indexed.item.visible_if];
            shown.into_iter().filter_map(|id| condition(id)).chain(indexed.group.map(Node::Item)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::QuestionChoice;

    fn texts(text: &str) -> Vec<LocalizedText> {
        [Locale::EnUs, Locale::EsUs]
            .map(|locale| LocalizedText { locale: locale.into(), text: text.to_owned() })
            .to_vec()
    }

    fn item(id: &str, kind: Type) -> QuestionItem {
        QuestionItem { id: id.to_owned(), r#type: kind.into(), labels: texts(id), ..QuestionItem::default() }
    }

    fn condition(id: &str, kind: Kind, item: &str) -> QuestionCondition {
        let (id, item_id) = (id.to_owned(), item.to_owned());
        QuestionCondition { id, kind: kind.into(), item_id, ..QuestionCondition::default() }
    }

    fn content(items: Vec<QuestionItem>, conditions: Vec<QuestionCondition>) -> QuestionContent {
        let page = QuestionPage { id: "one".to_owned(), titles: texts("One"), items, ..QuestionPage::default() };
        QuestionContent {
            titles: texts("All"),
            locales: vec![Locale::EnUs.into(), Locale::EsUs.into()],
            pages: vec![page],
            conditions,
        }
    }

    fn faults(content: &QuestionContent) -> Vec<String> {
        find_faults(content, "content").fields().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_whole_questionnaire_has_no_faults() {
        let choice = |id: &str| QuestionChoice { id: id.to_owned(), labels: texts(id) };
        let status =
            QuestionItem { choices: vec![choice("married"), choice("single")], ..item("status", Type::Choice) };
        let spouse = QuestionItem { visible_if: "is_married".to_owned(), ..item("spouse", Type::Person) };
        let married = QuestionCondition {
            operator: QuestionOperator::Equal.into(),
            text: "married".to_owned(),
            ..condition("is_married", Kind::Compare, "status")
        };
        assert_eq!(faults(&content(vec![status, spouse], vec![married])), Vec::<String>::new());
    }

    #[test]
    fn a_text_that_is_missing_in_a_locale_is_named() {
        let mut one = item("a", Type::Text);
        one.labels.truncate(1);
        one.helps = texts("help").split_off(1);
        let faults = faults(&content(vec![one], Vec::new()));
        assert_eq!(faults, ["content.pages[0].items[0].labels", "content.pages[0].items[0].helps"]);
    }

    #[test]
    fn empty_choices_and_unknown_names_are_named() {
        let choice = item("a", Type::Choice);
        let hidden = QuestionItem { visible_if: "nothing".to_owned(), ..item("b", Type::Text) };
        let grouped = QuestionItem { repeat_id: "a".to_owned(), ..item("c", Type::Text) };
        let repeat = item("d", Type::Repeat);
        let conditions = vec![condition("x", Kind::Answered, "nowhere"), condition("y", Kind::All, "")];
        let faults = faults(&content(vec![choice, hidden, grouped, repeat], conditions));
        let at = |rest: &str| format!("content.{rest}");
        let expected = [
            at("pages[0].items[0].choices"),
            at("pages[0].items[1].visible_if"),
            at("pages[0].items[2].repeat_id"),
            at("pages[0].items[3]"),
            at("conditions[0].item_id"),
            at("conditions[1].condition_ids"),
        ];
        assert_eq!(faults, expected);
    }

    #[test]
    fn what_leads_back_to_itself_is_named_once() {
        let shown = |id: &str, by: &str| QuestionItem { visible_if: by.to_owned(), ..item(id, Type::Text) };
        let conditions = vec![condition("on_a", Kind::Answered, "a"), condition("on_b", Kind::Answered, "b")];
        let all = content(vec![shown("a", "on_b"), shown("b", "on_a"), item("c", Type::Text)], conditions);
        assert_eq!(faults(&all), ["content.conditions[0]"]);
        let required = QuestionItem { required_if: "on_a".to_owned(), ..item("a", Type::Text) };
        let fine = content(vec![required], vec![condition("on_a", Kind::Answered, "a")]);
        assert_eq!(faults(&fine), Vec::<String>::new(), "a need for an answer shows nothing");
    }

    #[test]
    fn a_condition_that_can_never_hold_is_named() {
        let number = QuestionItem {
            bounds: Some(crate::contract::v1::QuestionBounds {
                least: Some(1.0),
                most: Some(9.0),
                ..Default::default()
            }),
            ..item("n", Type::Number)
        };
        let more = |limit: f64, operator: QuestionOperator| QuestionCondition {
            operator: operator.into(),
            number: Some(limit),
            ..condition("x", Kind::Compare, "n")
        };
        let of = |condition| faults(&content(vec![number.clone()], vec![condition]));
        assert_eq!(of(more(9.0, QuestionOperator::More)), ["content.conditions[0].number"]);
        assert_eq!(of(more(8.0, QuestionOperator::More)), Vec::<String>::new());
        assert_eq!(of(more(0.0, QuestionOperator::AtMost)), ["content.conditions[0].number"]);
        assert_eq!(of(more(9.5, QuestionOperator::Equal)), ["content.conditions[0].number"]);
    }
}
