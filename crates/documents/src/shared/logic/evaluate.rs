//! Which places of a questionnaire are shown with some values, and what is not right there.

use std::collections::{HashMap, HashSet};

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;

use super::index::{ContentIndex, ValueIndex};
use crate::contract::v1::QuestionConditionKind as Kind;
use crate::contract::v1::QuestionItemType as Type;
use crate::contract::v1::{
    AnswerProblemKind, AnswerValue, QuestionBounds, QuestionCondition, QuestionItem, QuestionOperator,
};

/// The most rows of a group.
pub(crate) const MOST_ROWS: u32 = 50;

/// A place for an answer: the position of an item, and the row within its group, or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) item: usize,
    pub(crate) row: u32,
}

/// The places that a questionnaire shows with some values.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// The places that are shown, in reading order: the rows of a group one after the other.
    pub(crate) visible: Vec<Place>,
    /// The faults there, in reading order.
    pub(crate) problems: Vec<(Place, AnswerProblemKind)>,
    /// The places for answers that are shown.
    pub(crate) places: usize,
    /// Those with an answer.
    pub(crate) answered: usize,
}

impl Evaluation {
    /// The number of items that are shown, whatever the number of their rows.
    pub(crate) fn count_items(&self) -> usize {
        self.visible.iter().map(|place| place.item).collect::<HashSet<_>>().len()
    }
}

/// Evaluates a questionnaire with values on a day.
pub(crate) fn evaluate(index: &ContentIndex<'_>, values: &[AnswerValue], today: Date) -> Evaluation {
    let mut run =
        Run { index, values: ValueIndex::new(index, values), today, shown: HashMap::new(), met: HashMap::new() };
    let mut found = Evaluation::default();
    for (at, indexed) in index.items.iter().enumerate() {
        if indexed.group.is_some() {
            continue;
        }
        run.add_place(Place { item: at, row: 0 }, &mut found);
        for row in 1..=run.count_rows(at) {
            for item in index.items_of(at) {
                run.add_place(Place { item, row }, &mut found);
            }
        }
    }
    found
}

/// Whether a value answers its item.
pub(crate) fn is_answered(item: &QuestionItem, value: &AnswerValue) -> bool {
    match item.r#type() {
        Type::Text | Type::LongText if item.sealed => !value.sealed_text.trim().is_empty(),
        Type::Text | Type::LongText | Type::Email => !value.text.trim().is_empty(),
        Type::Number | Type::Repeat => value.number.is_some(),
        Type::Money => value.money.is_some(),
        Type::Date => value.date.is_some(),
        Type::Boolean => value.boolean.is_some(),
        Type::Choice | Type::Choices => !value.choices.is_empty(),
        Type::Address => value.address.is_some(),
        Type::Phone => value.phone.is_some(),
        Type::Person => value.person.is_some(),
        Type::File => !value.file_ids.is_empty(),
        Type::Info | Type::Unspecified => false,
    }
}

/// The whole years between two days.
pub(crate) fn count_years(from: Date, until: Date) -> i32 {
    let before_day = (until.month, until.day) < (from.month, from.day);
    until.year.saturating_sub(from.year).saturating_sub(i32::from(before_day))
}

/// The number of an answer that its bounds limit, if it has one.
fn measure(item: &QuestionItem, value: &AnswerValue) -> Option<f64> {
    let count = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    match item.r#type() {
        Type::Text | Type::LongText if item.sealed => Some(count(value.sealed_text.trim().chars().count())),
        Type::Text | Type::LongText | Type::Email => Some(count(value.text.trim().chars().count())),
        Type::Number | Type::Repeat => value.number,
        Type::Money => value.money.as_ref().map(minor_units),
        Type::Choices => Some(count(value.choices.len())),
        Type::File => Some(count(value.file_ids.len())),
        _ => None,
    }
}

/// An amount as a number. Amounts are far below the numbers that a double holds exactly.
#[expect(clippy::cast_precision_loss, reason = "amounts are at most ten thousand million")]
fn minor_units(money: &pavise_kernel::common::v1::Money) -> f64 {
    money.amount as f64
}

/// The row in which a condition is asked: that of a group, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    group: Option<usize>,
    row: u32,
}

struct Run<'r, 'c> {
    index: &'r ContentIndex<'c>,
    values: ValueIndex<'r>,
    today: Date,
    /// Which places are shown. None while it is being found, which counts as not shown.
    shown: HashMap<Place, Option<bool>>,
    /// Which conditions hold in which row.
    met: HashMap<(usize, Row), Option<bool>>,
}

impl Run<'_, '_> {
    fn add_place(&mut self, place: Place, found: &mut Evaluation) {
        let Some(indexed) = self.index.items.get(place.item).copied().filter(|_| self.is_shown(place)) else { return };
        found.visible.push(place);
        let item = indexed.item;
        let row = Row { group: indexed.group, row: place.row };
        if !item.stop_if.is_empty() && self.holds(&item.stop_if, row) {
            found.problems.push((place, AnswerProblemKind::Stopped));
        }
        if item.r#type() == Type::Info {
            return;
        }
        found.places += 1;
        let answer = self.values.find(place.item, place.row).filter(|value| is_answered(item, value));
        match answer {
            Some(value) => {
                found.answered += 1;
                found.problems.extend(check_bounds(item, value).map(|problem| (place, problem)));
            }
            None if item.required || (!item.required_if.is_empty() && self.holds(&item.required_if, row)) => {
                found.problems.push((place, AnswerProblemKind::Missing));
            }
            None => {}
        }
    }

    fn is_shown(&mut self, place: Place) -> bool {
        if let Some(known) = self.shown.get(&place) {
            return known.unwrap_or(false);
        }
        self.shown.insert(place, None);
        let shown = self.find_shown(place);
        self.shown.insert(place, Some(shown));
        shown
    }

    fn find_shown(&mut self, place: Place) -> bool {
        let Some(indexed) = self.index.items.get(place.item).copied() else { return false };
        let page = &indexed.page.visible_if;
        if !page.is_empty() && !self.holds(page, Row { group: None, row: 0 }) {
            return false;
        }
        if let Some(group) = indexed.group
            && (place.row == 0 || place.row > self.count_rows(group))
        {
            return false;
        }
        let condition = &indexed.item.visible_if;
        condition.is_empty() || self.holds(condition, Row { group: indexed.group, row: place.row })
    }

    /// The rows of a group that are there; 0 for an item that is none.
    fn count_rows(&mut self, group: usize) -> u32 {
        let is_repeat = self.index.items.get(group).is_some_and(|indexed| indexed.item.r#type() == Type::Repeat);
        if !is_repeat || !self.is_shown(Place { item: group, row: 0 }) {
            return 0;
        }
        let number = self.values.find(group, 0).and_then(|value| value.number).unwrap_or(0.0);
        (1..=MOST_ROWS).take_while(|row| f64::from(*row) <= number).last().unwrap_or(0)
    }

    fn holds(&mut self, id: &str, row: Row) -> bool {
        let Some(at) = self.index.find_condition(id) else { return false };
        let known = self.met.get(&(at, row));
        if let Some(known) = known {
            return known.unwrap_or(false);
        }
        self.met.insert((at, row), None);
        let holds = self.index.conditions.get(at).is_some_and(|condition| self.find_holds(condition, row));
        self.met.insert((at, row), Some(holds));
        holds
    }

    fn find_holds(&mut self, condition: &QuestionCondition, row: Row) -> bool {
        match condition.kind() {
            Kind::All => condition.condition_ids.iter().all(|id| self.holds(id, row)),
            Kind::Any => condition.condition_ids.iter().any(|id| self.holds(id, row)),
            Kind::Not => condition.condition_ids.first().is_some_and(|id| !self.holds(id, row)),
            Kind::Compare => {
                self.list_answers(condition, row).into_iter().any(|(item, value)| compares(condition, item, value))
            }
            Kind::Answered => !self.list_answers(condition, row).is_empty(),
            Kind::Count => {
                let count = self.count(condition, row);
                fits(condition.operator(), f64::from(count), condition.number)
            }
            Kind::Age => {
                let today = self.today;
                self.list_answers(condition, row).into_iter().any(|(_, value)| {
                    let years = value.date.map(|day| f64::from(count_years(day, today)));
                    years.is_some_and(|years| fits(condition.operator(), years, condition.number))
                })
            }
            Kind::Unspecified => false,
        }
    }

    /// The answers of a condition's item that are shown: of one in a group those of the same row, elsewhere of every row.
    fn list_answers(&mut self, condition: &QuestionCondition, row: Row) -> Vec<(&QuestionItem, &AnswerValue)> {
        let index = self.index;
        let Some(at) = index.find_item(&condition.item_id) else { return Vec::new() };
        let Some(indexed) = index.items.get(at).copied() else { return Vec::new() };
        let rows = match indexed.group {
            None => 0..=0,
            Some(group) if row.group == Some(group) => row.row..=row.row,
            Some(group) => 1..=self.count_rows(group),
        };
        let mut found = Vec::new();
        for row in rows {
            let answer = self.values.find(at, row).filter(|value| is_answered(indexed.item, value));
            if let Some(value) = answer.filter(|_| self.is_shown(Place { item: at, row })) {
                found.push((indexed.item, value));
            }
        }
        found
    }

    fn count(&mut self, condition: &QuestionCondition, row: Row) -> u32 {
        let Some(at) = self.index.find_item(&condition.item_id) else { return 0 };
        let kind = self.index.items.get(at).map(|indexed| indexed.item.r#type());
        let count = match kind {
            Some(Type::Repeat) => return self.count_rows(at),
            Some(Type::Choices) => self.list_answers(condition, row).iter().map(|(_, value)| value.choices.len()).sum(),
            _ => self.list_answers(condition, row).len(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// Whether an answer compares with the value of a condition.
fn compares(condition: &QuestionCondition, item: &QuestionItem, value: &AnswerValue) -> bool {
    let (operator, has_text) = (condition.operator(), !condition.text.is_empty());
    match item.r#type() {
        Type::Number | Type::Repeat => value.number.is_some_and(|number| fits(operator, number, condition.number)),
        Type::Money => value.money.as_ref().is_some_and(|money| fits(operator, minor_units(money), condition.number)),
        Type::Boolean => {
            let same = value.boolean.zip(condition.boolean).map(|(answer, wanted)| answer == wanted);
            same.is_some_and(|same| is_equal(operator, same))
        }
        Type::Date => {
            let days = value.date.zip(condition.date).map(|(answer, wanted)| to_days(answer).cmp(&to_days(wanted)));
            days.is_some_and(|order| orders(operator, order))
        }
        Type::Choice | Type::Choices => has_text && is_equal(operator, value.choices.contains(&condition.text)),
        Type::Text | Type::LongText | Type::Email if !item.sealed => {
            has_text && is_equal(operator, value.text.trim() == condition.text)
        }
        _ => false,
    }
}

/// EQUAL and NOT_EQUAL; no other operator holds for what has no order.
fn is_equal(operator: QuestionOperator, same: bool) -> bool {
    match operator {
        QuestionOperator::Equal => same,
        QuestionOperator::NotEqual => !same,
        _ => false,
    }
}

fn fits(operator: QuestionOperator, number: f64, wanted: Option<f64>) -> bool {
    let order = wanted.and_then(|wanted| number.partial_cmp(&wanted));
    order.is_some_and(|order| orders(operator, order))
}

fn orders(operator: QuestionOperator, order: std::cmp::Ordering) -> bool {
    match operator {
        QuestionOperator::Equal => order.is_eq(),
        QuestionOperator::NotEqual => order.is_ne(),
        QuestionOperator::Less => order.is_lt(),
        QuestionOperator::AtMost => order.is_le(),
        QuestionOperator::More => order.is_gt(),
        QuestionOperator::AtLeast => order.is_ge(),
        QuestionOperator::Unspecified => false,
    }
}

fn check_bounds(item: &QuestionItem, value: &AnswerValue) -> Option<AnswerProblemKind> {
    let bounds = item.bounds.unwrap_or_default();
    let QuestionBounds { least, most, earliest, latest } = bounds;
    if let Some(measured) = measure(item, value) {
        let most = if item.r#type() == Type::Repeat { most.or(Some(f64::from(MOST_ROWS))) } else { most };
        if least.is_some_and(|least| measured < least) {
            return Some(AnswerProblemKind::TooLittle);
        }
        return most.filter(|most| measured > *most).map(|_| AnswerProblemKind::TooMuch);
    }
    let day = to_days(value.date.filter(|_| item.r#type() == Type::Date)?);
    if earliest.is_some_and(|earliest| day < to_days(earliest)) {
        return Some(AnswerProblemKind::TooLittle);
    }
    latest.filter(|latest| day > to_days(*latest)).map(|_| AnswerProblemKind::TooMuch)
}
