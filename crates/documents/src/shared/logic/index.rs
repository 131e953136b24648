//! The items and the conditions of a questionnaire by their ids, and the values of an answer by their places.

use std::collections::HashMap;

use crate::contract::v1::{AnswerValue, QuestionCondition, QuestionContent, QuestionItem, QuestionPage};

/// An item with the page that it is on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexedItem<'c> {
    pub(crate) item: &'c QuestionItem,
    pub(crate) page: &'c QuestionPage,
    /// The position of its REPEAT, if it is in a group.
    pub(crate) group: Option<usize>,
}

/// A questionnaire whose items and conditions are found by their ids.
#[derive(Debug)]
pub(crate) struct ContentIndex<'c> {
    /// The items in reading order.
    pub(crate) items: Vec<IndexedItem<'c>>,
    pub(crate) conditions: &'c [QuestionCondition],
    item_places: HashMap<&'c str, usize>,
    condition_places: HashMap<&'c str, usize>,
}

impl<'c> ContentIndex<'c> {
    /// The index of a questionnaire. Of two items with one id, the first counts.
    pub(crate) fn new(content: &'c QuestionContent) -> Self {
        let items = content.pages.iter().flat_map(|page| page.items.iter().map(move |item| (page, item)));
        let mut found = Self {
            items: items.map(|(page, item)| IndexedItem { item, page, group: None }).collect(),
            conditions: &content.conditions,
            item_places: HashMap::new(),
            condition_places: HashMap::new(),
        };
        for (at, indexed) in found.items.iter().enumerate() {
            found.item_places.entry(indexed.item.id.as_str()).or_insert(at);
        }
        for (at, condition) in content.conditions.iter().enumerate() {
            found.condition_places.entry(condition.id.as_str()).or_insert(at);
        }
        for indexed in &mut found.items {
            let group = &indexed.item.repeat_id;
            indexed.group = if group.is_empty() { None } else { found.item_places.get(group.as_str()).copied() };
        }
        found
    }

    /// The position of an item.
    pub(crate) fn find_item(&self, id: &str) -> Option<usize> {
        self.item_places.get(id).copied()
    }

    /// The position of a condition.
    pub(crate) fn find_condition(&self, id: &str) -> Option<usize> {
        self.condition_places.get(id).copied()
    }

    /// The items of a group, in reading order.
    pub(crate) fn items_of(&self, group: usize) -> impl Iterator<Item = usize> {
        self.items.iter().enumerate().filter(move |(_, indexed)| indexed.group == Some(group)).map(|(at, _)| at)
    }
}

/// Values by the positions of their items and their rows. Of two values for one place, the first counts.
#[derive(Debug, Default)]
pub(crate) struct ValueIndex<'v> {
    values: HashMap<(usize, u32), &'v AnswerValue>,
}

impl<'v> ValueIndex<'v> {
    pub(crate) fn new(index: &ContentIndex<'_>, values: &'v [AnswerValue]) -> Self {
        let mut found = Self { values: HashMap::with_capacity(values.len()) };
        for value in values {
            if let (Some(item), Ok(row)) = (index.find_item(&value.item_id), u32::try_from(value.row)) {
                found.values.entry((item, row)).or_insert(value);
            }
        }
        found
    }

    pub(crate) fn find(&self, item: usize, row: u32) -> Option<&'v AnswerValue> {
        self.values.get(&(item, row)).copied()
    }
}
