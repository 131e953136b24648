//! Random questionnaires with values, and the comparison of the two evaluators: this one, and
//! `web/packages/rules/src/questionnaire.ts`. Both make the same 10,000 cases from the same numbers, in the same order
//! (`web/packages/rules/src/questionnaire.cases.ts`), and compare the digests of what they show with the same file.

use pavise_kernel::common::v1::{Date, Money};

use super::{ContentIndex, evaluate};
use crate::contract::v1::QuestionItemType as Type;
use crate::contract::v1::{
    AnswerValue, QuestionBounds, QuestionChoice, QuestionCondition, QuestionContent, QuestionItem, QuestionPage,
};

/// The cases of one digest.
const AT_ONCE: u32 = 500;
const TYPES: [Type; 9] = [
    Type::Text,
    Type::Number,
    Type::Date,
    Type::Boolean,
    Type::Choice,
    Type::Choices,
    Type::Repeat,
    Type::Info,
    Type::Money,
];
const CHOICES: [&str; 3] = ["a", "b", "c"];
const TEXTS: [&str; 5] = ["a", "b", "", "  ", " a"];
const TODAY: Date = Date { year: 2026, month: 3, day: 1 };

/// Numbers that both languages make alike: mulberry32.
struct Numbers(u32);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x6D2B_79F5);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 15)).wrapping_mul(mixed | 1);
        mixed ^= mixed.wrapping_add((mixed ^ (mixed >> 7)).wrapping_mul(mixed | 61));
        (mixed ^ (mixed >> 14)) % limit
    }

    /// Happens in one of so many cases.
    fn happens(&mut self, of: u32) -> bool {
        self.below(of) == 0
    }

    fn small(&mut self, limit: u32) -> i32 {
        i32::try_from(self.below(limit)).unwrap()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(u32::try_from(from.len()).unwrap()) as usize]
    }

    fn day(&mut self) -> Date {
        let (year, month) = (1990 + self.small(30), 1 + self.small(12));
        Date { year, month, day: 1 + self.small(28) }
    }
}

fn random_content(numbers: &mut Numbers) -> QuestionContent {
    let (item_count, condition_count) = (4 + numbers.below(12), 3 + numbers.below(8));
    let (mut pages, mut repeat) = (vec![random_page(numbers, 0, condition_count)], String::new());
    for at in 0..item_count {
        if at > 0 && numbers.happens(4) {
            let number = u32::try_from(pages.len()).unwrap();
            pages.push(random_page(numbers, number, condition_count));
            repeat.clear();
        }
        let item = random_item(numbers, at, condition_count, &mut repeat);
        pages.last_mut().unwrap().items.push(item);
    }
    let conditions =
        (0..condition_count).map(|at| random_condition(numbers, at, (item_count, condition_count))).collect();
    QuestionContent { pages, conditions, ..QuestionContent::default() }
}

fn random_page(numbers: &mut Numbers, number: u32, conditions: u32) -> QuestionPage {
    let visible_if = random_name(numbers, 5, conditions);
    QuestionPage { id: format!("p{number}"), visible_if, ..QuestionPage::default() }
}

/// The name of a condition in one of so many cases, or none.
fn random_name(numbers: &mut Numbers, of: u32, conditions: u32) -> String {
    if numbers.happens(of) { format!("c{}", numbers.below(conditions)) } else { String::new() }
}

fn random_item(numbers: &mut Numbers, at: u32, conditions: u32, repeat: &mut String) -> QuestionItem {
    let kind = numbers.pick(&TYPES);
    let mut item = QuestionItem { id: format!("i{at}"), r#type: kind.into(), ..QuestionItem::default() };
    if kind == Type::Repeat {
        repeat.clone_from(&item.id);
    } else if !repeat.is_empty() && numbers.happens(2) {
        item.repeat_id.clone_from(repeat);
    }
    if matches!(kind, Type::Choice | Type::Choices) {
        item.choices = CHOICES.map(|id| QuestionChoice { id: id.to_owned(), ..QuestionChoice::default() }).to_vec();
    }
    item.required = numbers.happens(3);
    item.visible_if = random_name(numbers, 2, conditions);
    item.required_if = random_name(numbers, 4, conditions);
    item.stop_if = random_name(numbers, 8, conditions);
    if numbers.happens(3) {
        let least = f64::from(numbers.below(4));
        let most = least + f64::from(numbers.below(4));
        let (earliest, latest) = (numbers.day(), numbers.day());
        item.bounds = Some(QuestionBounds {
            least: Some(least),
            most: Some(most),
            earliest: Some(earliest),
            latest: Some(latest),
        });
    }
    item
}

fn random_condition(numbers: &mut Numbers, at: u32, (items, conditions): (u32, u32)) -> QuestionCondition {
    let kind = 1 + numbers.small(7);
    let parts = 1 + numbers.below(3);
    QuestionCondition {
        id: format!("c{at}"),
        kind,
        condition_ids: (0..parts).map(|_| format!("c{}", numbers.below(conditions))).collect(),
        item_id: format!("i{}", numbers.below(items)),
        operator: 1 + numbers.small(6),
        number: Some(f64::from(numbers.below(if kind == 7 { 40 } else { 5 }))),
        text: numbers.pick(&CHOICES).to_owned(),
        boolean: Some(numbers.happens(2)),
        date: Some(numbers.day()),
    }
}

fn random_values(numbers: &mut Numbers, content: &QuestionContent) -> Vec<AnswerValue> {
    let mut values = Vec::new();
    for item in content.pages.iter().flat_map(|page| &page.items) {
        let rows = if item.repeat_id.is_empty() { 0..=0 } else { 1..=3 };
        for row in rows {
            if !numbers.happens(4) {
                values.push(random_value(numbers, item, row));
            }
        }
    }
    values
}

fn random_value(numbers: &mut Numbers, item: &QuestionItem, row: i32) -> AnswerValue {
    let mut value = AnswerValue { item_id: item.id.clone(), row, ..AnswerValue::default() };
    match item.r#type() {
        Type::Text => value.text = numbers.pick(&TEXTS).to_owned(),
        Type::Number => value.number = Some(f64::from(numbers.below(6))),
        Type::Repeat => value.number = Some(f64::from(numbers.below(4))),
        Type::Money => value.money = Some(Money { amount: i64::from(numbers.below(6)), ..Money::default() }),
        Type::Date => value.date = Some(numbers.day()),
        Type::Boolean => value.boolean = Some(numbers.happens(2)),
        Type::Choice => value.choices = vec![numbers.pick(&CHOICES).to_owned()],
        Type::Choices => {
            let chosen = numbers.below(8);
            let is_chosen = |at: &usize| chosen & (1 << at) != 0;
            value.choices = (0..CHOICES.len()).filter(is_chosen).map(|at| CHOICES[at].to_owned()).collect();
        }
        _ => {}
    }
    value
}

/// The places that a case shows, as text.
fn describe_case(seed: u32) -> String {
    let mut numbers = Numbers(seed);
    let content = random_content(&mut numbers);
    let values = random_values(&mut numbers, &content);
    let found = evaluate(&ContentIndex::new(&content), &values, TODAY);
    let visible: Vec<String> = found.visible.iter().map(|place| format!("{}.{}", place.item, place.row)).collect();
    let problems =
        found.problems.iter().map(|(place, kind)| format!("{}.{}.{}", place.item, place.row, i32::from(*kind)));
    let problems: Vec<String> = problems.collect();
    let (places, answered) = (found.places, found.answered);
    format!("{};{};{places};{answered};{}\n", visible.join(","), problems.join(","), found.count_items())
}

/// The digest of some cases: FNV-1a.
fn digest(cases: impl Iterator<Item = u32>) -> String {
    let texts = cases.map(describe_case);
    let hash = texts.fold(0x811C_9DC5_u32, |hash, text| {
        text.bytes().fold(hash, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    });
    format!("{hash:08x}")
}

#[test]
fn both_evaluators_show_the_same_of_ten_thousand_random_questionnaires() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/packages/rules/src/questionnaire.digests.json");
    let expected: Vec<String> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let digests: Vec<String> = (0..20).map(|at| digest(at * AT_ONCE..(at + 1) * AT_ONCE)).collect();
    assert_eq!(digests, expected, "the logic changed: change the one in TypeScript, and take these digests for both");
}

/// The cases are of use only if they show and hide, and find faults of each kind.
#[test]
fn random_questionnaires_show_and_hide_and_have_problems_of_each_kind() {
    let (mut hidden, mut kinds) = (0, [0_u32; 5]);
    for seed in 0..1_000 {
        let mut numbers = Numbers(seed);
        let content = random_content(&mut numbers);
        let values = random_values(&mut numbers, &content);
        let index = ContentIndex::new(&content);
        let found = evaluate(&index, &values, TODAY);
        hidden += index.items.len() - found.count_items();
        found.problems.iter().for_each(|(_, kind)| kinds[usize::try_from(i32::from(*kind)).unwrap()] += 1);
    }
    assert!(hidden > 1_000 && kinds[1..].iter().all(|count| *count > 100), "{hidden} hidden, {kinds:?}");
}

/// A questionnaire of 300 items, each of which depends on those before, takes 2 ms at most.
#[test]
fn three_hundred_items_take_two_milliseconds() {
    let named =
        |kind: Type, at: usize| QuestionItem { id: format!("i{at}"), r#type: kind.into(), ..Default::default() };
    let mut items = vec![named(Type::Boolean, 0)];
    let mut conditions = Vec::new();
    for at in 1..300 {
        let answered =
            QuestionCondition { id: format!("c{at}"), kind: 5, item_id: format!("i{}", at - 1), ..Default::default() };
        conditions.push(answered);
        items.push(QuestionItem { visible_if: format!("c{at}"), required: true, ..named(Type::Boolean, at) });
    }
    let content = QuestionContent {
        pages: vec![QuestionPage { items, ..QuestionPage::default() }],
        conditions,
        ..QuestionContent::default()
    };
    let value = |at| AnswerValue { item_id: format!("i{at}"), boolean: Some(true), ..AnswerValue::default() };
    let values: Vec<AnswerValue> = (0..300).map(value).collect();
    // The best of some runs: a busy machine says nothing of the logic.
    let took = (0..20).map(|_| {
        let began = std::time::Instant::now();
        let found = evaluate(&ContentIndex::new(&content), &values, TODAY);
        assert_eq!((found.answered, found.problems.len()), (300, 0));
        began.elapsed()
    });
    let best = took.min().unwrap();
    println!("300 items: {best:?}");
    let bar = if cfg!(debug_assertions) { 20 } else { 2 };
    assert!(best < std::time::Duration::from_millis(bar), "{best:?}");
}
