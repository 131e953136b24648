//! The sheet of a statement of account.

use crate::Party;
use crate::format::{self, Amount, Currency, Day};
use crate::invoice::{Period, pair_table, party_blocks, write_period};
use crate::language::Language;
use crate::sheet::{Block, Column, Row, Sheet, Table};
use crate::words::{Words, find_words};

/// A statement of account as its paper shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The seller.
    pub seller: Party,
    /// The owner of the account.
    pub account: Party,
    /// The days that it covers.
    pub period: Period,
    /// A part for each currency.
    pub parts: Vec<StatementPart>,
}

/// The part of a statement in one currency. The opening balance and the charges, less payments and credits, with
/// refunds and reversals, are the closing balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementPart {
    /// The currency of each amount.
    pub currency: Currency,
    /// The balance before the first day, in cents.
    pub opening: i64,
    /// The sum of the charges.
    pub charges: i64,
    /// The sum of the payments.
    pub payments: i64,
    /// The sum of the credits.
    pub credits: i64,
    /// The sum of the refunds.
    pub refunds: i64,
    /// The sum of the reversals.
    pub reversals: i64,
    /// The balance after the last day.
    pub closing: i64,
    /// The entries, in their order.
    pub entries: Vec<Entry>,
}

/// An entry of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its day.
    pub day: Day,
    /// Its kind.
    pub kind: EntryKind,
    /// The number of the invoice that it belongs to.
    pub number: String,
    /// Its amount in cents, above zero.
    pub cents: i64,
    /// The balance after it.
    pub balance: i64,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// An invoice was raised, or an item added.
    Charge,
    /// A payment was taken.
    Payment,
    /// Something was taken off: a discount, an amount that was forgiven, an invoice that was voided.
    Credit,
    /// A payment was given back.
    Refund,
    /// The money of a payment went back: a bank returned it, or a dispute was lost.
    Reversal,
}

/// Builds the sheet of a statement.
pub(crate) fn build_sheet(statement: &Statement, language: Language) -> Sheet {
    let words = find_words(language);
    let period = write_period(statement.period, words, language);
    let mut blocks = vec![Block::Title(words.statement.to_owned())];
    blocks.extend(party_blocks(&statement.seller, language));
    let facts = vec![Row::new([words.period.to_owned(), period.clone()])];
    blocks.push(Block::Table(Table { columns: vec![Column::left("", 0.25), Column::left("", 0.75)], rows: facts }));
    blocks.push(Block::Heading(words.account_of.to_owned()));
    blocks.extend(party_blocks(&statement.account, language));
    if statement.parts.is_empty() {
        blocks.push(Block::Lines(vec![words.nothing.to_owned()]));
    }
    for part in &statement.parts {
        blocks.extend(part_blocks(part, words, language));
    }
    Sheet {
        title: format!("{} · {period}", words.statement),
        language: language.tag(),
        author: statement.seller.name.clone(),
        made_on: statement.period.until,
        foot: format!("{} · {period}", words.statement),
        page_words: (words.page, words.of_pages),
        blocks,
    }
}

fn part_blocks(part: &StatementPart, words: &Words, language: Language) -> Vec<Block> {
    let amount = |cents: i64| format::format_amount(Amount { currency: part.currency, cents }, language);
    let code = match part.currency {
        Currency::Usd => "USD",
        Currency::Cad => "CAD",
    };
    let line = |name: &str, cents: i64| [name.to_owned(), amount(cents)];
    let mut summary = vec![
        Row::new(line(words.opening, part.opening)),
        Row::new(line(words.charges, part.charges)),
        Row::new(line(words.payments, part.payments.saturating_neg())),
        Row::new(line(words.credits, part.credits.saturating_neg())),
        Row::new(line(words.refunds, part.refunds)),
    ];
    if part.reversals != 0 {
        summary.push(Row::new(line(words.reversals, part.reversals)));
    }
    summary.push(Row::sum(line(words.closing, part.closing)));
    let mut blocks = vec![Block::Heading(format!("{} ({code})", words.summary)), Block::Table(pair_table(summary))];
    blocks.push(Block::Heading(format!("{} ({code})", words.entries)));
    if part.entries.is_empty() {
        blocks.push(Block::Lines(vec![words.nothing.to_owned()]));
        return blocks;
    }
    let rows = part.entries.iter().map(|entry| {
        let (name, sign) = match entry.kind {
            EntryKind::Charge => (words.charge, 1),
            EntryKind::Payment => (words.payment, -1),
            EntryKind::Credit => (words.credit, -1),
            EntryKind::Refund => (words.refund, 1),
            EntryKind::Reversal => (words.reversal, 1),
        };
        Row::new([
            format::format_day(entry.day, language),
            format!("{name} {}", entry.number).trim_end().to_owned(),
            amount(entry.cents.saturating_mul(sign)),
            amount(entry.balance),
        ])
    });
    let columns = vec![
        Column::left(words.day, 0.24),
        Column::left(words.description, 0.36),
        Column::right(words.amount, 0.2),
        Column::right(words.balance, 0.2),
    ];
    blocks.push(Block::Table(Table { columns, rows: rows.collect() }));
    blocks
}
