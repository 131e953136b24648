//! The sheet of an invoice.

use crate::Party;
use crate::format::{self, Amount, Day};
use crate::language::Language;
use crate::sheet::{Block, Column, Row, Sheet, Table};
use crate::words::{Words, find_words, translate_tax};

/// An invoice as its paper shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invoice {
    /// Its number; empty for an invoice from before there were numbers.
    pub number: String,
    /// The id that names it where it has no number.
    pub reference: String,
    /// The seller.
    pub seller: Party,
    /// The buyer.
    pub buyer: Party,
    /// The day on which it was issued.
    pub issued_on: Day,
    /// The day on which it is due.
    pub due_on: Option<Day>,
    /// The days that it bills.
    pub period: Option<Period>,
    /// Its state.
    pub state: InvoiceState,
    /// The items, in their order. Taxes and deductions stand below the others.
    pub items: Vec<Item>,
    /// The sum of the items.
    pub total: Amount,
    /// The payments and refunds that count, in their order.
    pub movements: Vec<Movement>,
    /// The amount to be paid.
    pub open: Amount,
}

/// The days that an invoice bills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub until: Day,
}

/// The state of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InvoiceState {
    /// It is to be paid.
    #[default]
    Open,
    /// It is paid.
    Paid,
    /// A part is paid.
    PartlyPaid,
    /// It was not paid in time.
    Overdue,
    /// Its open amount was forgiven.
    Forgiven,
    /// It was raised in error.
    Void,
    /// Its payments were refunded.
    Refunded,
}

/// An item of an invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its kind.
    pub kind: ItemKind,
    /// Its name for the buyer.
    pub description: String,
    /// Its amount.
    pub amount: Amount,
}

/// The kind of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemKind {
    /// Something that was sold, or taken off.
    Sale,
    /// A tax: its name and its rate in parts per million, zero if it is not known.
    Tax {
        /// The name: "QC QST".
        name: String,
        /// The rate.
        rate_ppm: u32,
    },
}

/// A payment or a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// The day.
    pub day: Day,
    /// It is a refund.
    pub is_refund: bool,
    /// The amount, above zero.
    pub amount: Amount,
}

/// Builds the sheet of an invoice.
pub(crate) fn build_sheet(invoice: &Invoice, language: Language) -> Sheet {
    let words = find_words(language);
    let name = if invoice.number.is_empty() { &invoice.reference } else { &invoice.number };
    let mut blocks = vec![Block::Title(words.invoice.to_owned())];
    blocks.extend(party_blocks(&invoice.seller, language));
    blocks.push(Block::Table(fact_table(invoice, words, language)));
    blocks.push(Block::Heading(words.billed_to.to_owned()));
    blocks.extend(party_blocks(&invoice.buyer, language));
    blocks.push(Block::Heading(words.items.to_owned()));
    blocks.push(Block::Table(item_table(invoice, words, language)));
    if !invoice.movements.is_empty() {
        blocks.push(Block::Heading(words.movements.to_owned()));
        blocks.push(Block::Table(movement_table(invoice, words, language)));
    }
    blocks.push(Block::Table(pair_table(vec![Row::sum([
        words.open_amount.to_owned(),
        format::format_amount(invoice.open, language),
    ])])));
    Sheet {
        title: format!("{} {name}", words.invoice),
        language: language.tag(),
        author: invoice.seller.name.clone(),
        made_on: invoice.issued_on,
        foot: format!("{} {name}", words.invoice),
        page_words: (words.page, words.of_pages),
        blocks,
    }
}

/// The name of a party in bold letters, and its address and tax numbers.
pub(crate) fn party_blocks(party: &Party, language: Language) -> Vec<Block> {
    let numbers = party.tax_numbers.iter().map(|(name, number)| format!("{} {number}", translate_tax(name, language)));
    let lines = party.address.iter().cloned().chain(numbers).collect();
    vec![Block::Strong(party.name.clone()), Block::Lines(lines)]
}

/// A table of names and amounts.
pub(crate) fn pair_table(rows: Vec<Row>) -> Table {
    Table { columns: vec![Column::left("", 0.75), Column::right("", 0.25)], rows }
}

/// The days from one to another as a text.
pub(crate) fn write_period(period: Period, words: &Words, language: Language) -> String {
    let (from, until) = (format::format_day(period.from, language), format::format_day(period.until, language));
    format!("{from} {} {until}", words.until)
}

fn fact_table(invoice: &Invoice, words: &Words, language: Language) -> Table {
    let mut facts = Vec::new();
    if invoice.number.is_empty() {
        facts.push((words.reference, invoice.reference.clone()));
    } else {
        facts.push((words.number, invoice.number.clone()));
    }
    facts.push((words.issued, format::format_day(invoice.issued_on, language)));
    facts.extend(invoice.due_on.map(|day| (words.due, format::format_day(day, language))));
    facts.extend(invoice.period.map(|period| (words.period, write_period(period, words, language))));
    facts.push((words.state, state_name(invoice.state, words).to_owned()));
    let rows = facts.into_iter().map(|(name, value)| Row::new([name.to_owned(), value])).collect();
    Table { columns: vec![Column::left("", 0.25), Column::left("", 0.75)], rows }
}

fn item_table(invoice: &Invoice, words: &Words, language: Language) -> Table {
    let (taxes, sales): (Vec<&Item>, Vec<&Item>) =
        invoice.items.iter().partition(|item| matches!(item.kind, ItemKind::Tax { .. }));
    let row = |item: &Item| {
        Row::new([describe_item(item, &invoice.seller, language), format::format_amount(item.amount, language)])
    };
    let mut rows: Vec<Row> = sales.iter().map(|item| row(item)).collect();
    if !taxes.is_empty() {
        let cents = sales.iter().fold(0_i64, |sum, item| sum.saturating_add(item.amount.cents));
        let subtotal = Amount { cents, ..invoice.total };
        rows.push(Row::sum([words.subtotal.to_owned(), format::format_amount(subtotal, language)]));
        rows.extend(taxes.iter().map(|item| row(item)));
    }
    rows.push(Row::sum([words.total.to_owned(), format::format_amount(invoice.total, language)]));
    Table { columns: vec![Column::left(words.description, 0.75), Column::right(words.amount, 0.25)], rows }
}

/// The description of an item; of a tax, its name, its rate and the seller's number for it.
fn describe_item(item: &Item, seller: &Party, language: Language) -> String {
    let ItemKind::Tax { name, rate_ppm } = &item.kind else { return item.description.clone() };
    let name = if name.is_empty() { &item.description } else { name };
    let name = translate_tax(name, language);
    let number = seller.tax_numbers.iter().find(|(tax, _)| {
        let tax = translate_tax(tax, language);
        name.split(' ').any(|word| tax.split(['/', ' ']).any(|part| part == word))
    });
    let mut text = name.clone();
    if *rate_ppm > 0 {
        text = format!("{text} {}", format::format_rate(*rate_ppm, language));
    }
    match number {
        Some((_, number)) => format!("{text} ({number})"),
        None => text,
    }
}

fn movement_table(invoice: &Invoice, words: &Words, language: Language) -> Table {
    let rows = invoice.movements.iter().map(|movement| {
        let name = if movement.is_refund { words.refund } else { words.payment };
        Row::new([
            format::format_day(movement.day, language),
            name.to_owned(),
            format::format_amount(movement.amount, language),
        ])
    });
    let columns =
        vec![Column::left(words.day, 0.3), Column::left(words.description, 0.45), Column::right(words.amount, 0.25)];
    Table { columns, rows: rows.collect() }
}

fn state_name(state: InvoiceState, words: &Words) -> &'static str {
    match state {
        InvoiceState::Open => words.is_open,
        InvoiceState::Paid => words.is_paid,
        InvoiceState::PartlyPaid => words.is_partly_paid,
        InvoiceState::Overdue => words.is_overdue,
        InvoiceState::Forgiven => words.is_forgiven,
        InvoiceState::Void => words.is_void,
        InvoiceState::Refunded => words.is_refunded,
    }
}
