//! The image of a member's entities, from which similar members are made: the documents of a told story, cut at ids,
//! names and days.

use std::collections::BTreeMap;

use anyhow::Context as _;
use pavise_kernel::Kernel;
use pavise_kernel::check_digit::with_check_digit;
use pavise_kernel::common::v1::{Date, Locale};
use pavise_kernel::store::{Filter, StoredRow, Write, fold_value};
use pavise_kernel::table::{Lookup, Table};
use pavise_kernel::time::{DAY, Micros, add_days, add_months, to_date, to_days, to_timestamp};
use pavise_kernel::words::SearchWords;
use serde_json::Value;

use super::people::{Person, mix};

/// The parts of a member, with the actions that make them.
const TABLES: [(&str, &str); 8] = [
    ("identities", "CREATED"),
    ("payment_methods", "CREATED"),
    ("transactions", "TRANSACTION_CREATED"),
    ("orders", "CREATED"),
    ("invoices", "CREATED"),
    ("subscriptions", "CREATED"),
    ("entitlements", "CREATED"),
    ("provisions", "CREATED"),
];
/// The lookup of the words by which people are searched.
const WORDS: &str = "search_words";
/// The members joined within so many days from [`FIRST`] on.
const SPAN: u64 = 700;
/// The day on which the first of them joined: 2024-01-01.
const FIRST: Micros = 19_723 * DAY;
/// The first letter of marks: no document has these letters.
const MARKS: u32 = 0xe000;

/// The values that differ from member to member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    First,
    Last,
    Name,
    Email,
    Street,
    /// The instant of joining.
    Joined,
    /// The day of joining.
    JoinedOn,
    /// The day of the month.
    CycleDay,
    /// The next billing day, that many months apart.
    NextBill(i32),
    /// The day before the next billing day.
    PaidTo(i32),
    /// The day on which the plan ended.
    EndedOn,
    /// A unique text.
    Unique(u32),
    /// A unique number of 14 digits.
    Number(u32),
    /// The words by which the member is searched.
    Words,
    /// The id of that place.
    Id(u32),
}

/// The slots that come before those of ids, by their marks.
const SLOTS: [Slot; 14] = [
    Slot::First,
    Slot::Last,
    Slot::Name,
    Slot::Email,
    Slot::Street,
    Slot::Joined,
    Slot::JoinedOn,
    Slot::CycleDay,
    Slot::NextBill(1),
    Slot::NextBill(12),
    Slot::PaidTo(1),
    Slot::PaidTo(12),
    Slot::EndedOn,
    Slot::Words,
];
/// Where the marks of unique texts, of unique numbers and of ids begin.
const UNIQUE: u32 = MARKS + 0x100;
const NUMBERS: u32 = MARKS + 0x200;
const IDS: u32 = MARKS + 0x300;

#[derive(Debug)]
enum Piece {
    Text(String),
    Slot(Slot),
}

#[derive(Debug)]
struct Image {
    table: &'static Table,
    action: &'static str,
    status: String,
    id: Vec<Piece>,
    owner: Vec<Piece>,
    doc: Vec<Piece>,
    lookups: Vec<(&'static Lookup, Vec<Piece>)>,
    /// The lookup of the words.
    words: Option<&'static Lookup>,
}

/// The image of a member's entities.
#[derive(Debug)]
pub(crate) struct Stencil {
    images: Vec<Image>,
    locale: Locale,
}

/// The ids and unique texts so far.
#[derive(Debug, Default)]
struct Found {
    ids: Vec<String>,
    unique: u32,
}

impl Stencil {
    /// Cuts the image of the member with that identity.
    pub(crate) async fn cut(kernel: &Kernel, identity: &str, locale: Locale) -> anyhow::Result<Self> {
        let mut found = Found::default();
        let mut images = Vec::new();
        for (name, action) in TABLES {
            let entry = kernel.tables().iter().find(|entry| entry.table.name == name);
            let table = entry.with_context(|| format!("there is no table {name}"))?.table;
            let filter = Filter { owner: Some(identity.to_owned()), limit: 100, ..Filter::default() };
            for row in kernel.store().list(table, &filter).await? {
                images.push(image(table, action, &row, &mut found)?);
            }
        }
        Ok(Self { images, locale })
    }

    /// The address of the member of that number.
    pub(crate) fn email(&self, number: u32) -> String {
        Person::of(number, self.locale).email()
    }

    /// The writes that make the member of that number, as of today.
    pub(crate) fn member(&self, number: u32, today: Date) -> Vec<Write> {
        let filled = Filled::new(number, self.locale, today);
        let make = |image: &Image| Write {
            table: image.table,
            row: StoredRow {
                id: filled.text(&image.id),
                owner_id: filled.text(&image.owner),
                status: image.status.clone(),
                version: 1,
                clock: 0,
                created_at: filled.joined,
                updated_at: filled.joined,
                doc: filled.text(&image.doc),
            },
            expected: None,
            removed: false,
            action: image.action.to_owned(),
            lookups: image
                .lookups
                .iter()
                .map(|(lookup, value)| (*lookup, fold_value(lookup, &filled.text(value)).into_owned()))
                .chain(image.words.iter().flat_map(|lookup| filled.words().into_iter().map(|word| (*lookup, word))))
                .collect(),
        };
        self.images.iter().map(make).collect()
    }
}

fn image(table: &'static Table, action: &'static str, row: &StoredRow, found: &mut Found) -> anyhow::Result<Image> {
    let mut doc: Value = serde_json::from_str(&row.doc).with_context(|| format!("{}/{}", table.name, row.id))?;
    let fields = doc.as_object_mut().with_context(|| format!("{}/{} is no object", table.name, row.id))?;
    fields.insert("version".to_owned(), Value::from("1"));
    // Only a commit gives a number, so a copy has none.
    if table.name == "invoices" {
        fields.remove("number");
    }
    let period = if fields.get("billingPeriod").is_some_and(|period| period == "ANNUAL") { 12 } else { 1 };
    mark(&mut doc, period, found);
    let mut lookups = Vec::new();
    for lookup in table.lookups.iter().filter(|lookup| lookup.many && lookup.name != WORDS) {
        let path: Vec<String> = lookup.name.split('.').map(json_name).collect();
        let mut values = Vec::new();
        collect(&doc, &path, &mut values);
        lookups.extend(values.into_iter().map(|value| (lookup, pieces(&value, found))));
    }
    // The mark of a value that is no text replaces its quotes too.
    let mut text = serde_json::to_string(&doc)?;
    for slot in SLOTS.iter().filter(|slot| slot.is_bare()) {
        let mark = letter(*slot);
        text = text.replace(&format!("\"{mark}\""), &mark.to_string());
    }
    Ok(Image {
        table,
        action,
        status: row.status.clone(),
        id: pieces(&row.id, found),
        owner: pieces(&row.owner_id, found),
        doc: pieces(&text, found),
        lookups,
        words: table.lookups.iter().find(|lookup| lookup.name == WORDS),
    })
}

/// Puts marks in place of a member's own names and days.
fn mark(value: &mut Value, period: i32, found: &mut Found) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|one| mark(one, period, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                let slot = match name.as_str() {
                    "firstName" => Slot::First,
                    "lastName" => Slot::Last,
                    "holderName" => Slot::Name,
                    "email" => Slot::Email,
                    "address" if field.is_string() => Slot::Email,
                    "address1" => Slot::Street,
                    "createdAt" | "updatedAt" | "addedAt" | "pricedAt" | "purchasedAt" | "fundedAt" | "settledAt"
                    | "at" => Slot::Joined,
                    "startedOn" | "effectiveOn" | "dueOn" => Slot::JoinedOn,
                    "billCycleDay" => Slot::CycleDay,
                    "nextBillOn" => Slot::NextBill(period),
                    "paidToDate" => Slot::PaidTo(period),
                    "cancelledOn" | "endsOn" => Slot::EndedOn,
                    "requestKey" => {
                        found.unique += 1;
                        Slot::Unique(found.unique)
                    }
                    "friendlyId" => {
                        found.unique += 1;
                        Slot::Number(found.unique)
                    }
                    "searchWords" => Slot::Words,
                    _ => {
                        mark(field, period, found);
                        continue;
                    }
                };
                *field = Value::String(letter(slot).to_string());
            }
        }
        _ => {}
    }
}

impl Slot {
    /// Whether the slot is no text in a document.
    fn is_bare(self) -> bool {
        matches!(self, Self::CycleDay | Self::Words)
    }
}

/// The mark of a slot.
fn letter(slot: Slot) -> char {
    let code = match slot {
        Slot::Unique(number) => UNIQUE + number,
        Slot::Number(number) => NUMBERS + number,
        Slot::Id(number) => IDS + number,
        other => {
            MARKS + SLOTS.iter().position(|known| *known == other).and_then(|at| u32::try_from(at).ok()).unwrap_or(0)
        }
    };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The slot of a mark.
fn slot(letter: char) -> Option<Slot> {
    let code = u32::from(letter);
    match code {
        _ if !('\u{e000}'..='\u{f8ff}').contains(&letter) => None,
        IDS.. => Some(Slot::Id(code - IDS)),
        NUMBERS.. => Some(Slot::Number(code - NUMBERS)),
        UNIQUE.. => Some(Slot::Unique(code - UNIQUE)),
        _ => SLOTS.get(usize::try_from(code - MARKS).ok()?).copied(),
    }
}

/// Cuts a text at its marks and at its ids.
fn pieces(text: &str, found: &mut Found) -> Vec<Piece> {
    let (mut pieces, mut plain) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let id = rest.get(..36).filter(|id| is_made(id));
        let cut =
            id.map(|id| (Slot::Id(place(id, found)), 36)).or_else(|| slot(first).map(|slot| (slot, first.len_utf8())));
        let Some((slot, length)) = cut else {
            plain.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        };
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(Piece::Slot(slot));
        rest = rest.get(length..).unwrap_or_default();
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

/// Whether a text is an id of the platform's making; those of the catalog are written by hand.
fn is_made(text: &str) -> bool {
    let dashes = [8, 13, 18, 23];
    let fits = |(at, byte): (usize, u8)| if dashes.contains(&at) { byte == b'-' } else { byte.is_ascii_hexdigit() };
    text.len() == 36 && text.bytes().enumerate().all(fits) && !text.contains("-0000-4000-8000-")
}

/// The place of an id among those found.
fn place(id: &str, found: &mut Found) -> u32 {
    let at = found.ids.iter().position(|known| known == id).unwrap_or_else(|| {
        found.ids.push(id.to_owned());
        found.ids.len() - 1
    });
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A field's name in a document.
fn json_name(field: &str) -> String {
    let mut up = false;
    let mut name = String::with_capacity(field.len());
    for letter in field.chars() {
        if letter == '_' {
            up = true;
        } else {
            name.push(if std::mem::take(&mut up) { letter.to_ascii_uppercase() } else { letter });
        }
    }
    name
}

/// The texts at a path, through lists.
fn collect(value: &Value, path: &[String], into: &mut Vec<String>) {
    match (value, path) {
        (Value::Array(all), _) => all.iter().for_each(|one| collect(one, path, into)),
        (Value::String(text), []) => into.push(text.clone()),
        (Value::Object(fields), [name, rest @ ..]) => {
            fields.get(name).into_iter().for_each(|field| collect(field, rest, into))
        }
        _ => {}
    }
}

/// The values of the slots for one member.
struct Filled {
    number: u32,
    person: Person,
    joined: Micros,
    today: Date,
}

impl Filled {
    fn new(number: u32, locale: Locale, today: Date) -> Self {
        // The day and second of joining are the member's own, but always the same.
        let mixed = mix(u64::from(number) ^ 0x6a6f_696e);
        let day = i64::try_from(mixed % SPAN).unwrap_or(0);
        let second = i64::try_from((mixed >> 32) % 86_400).unwrap_or(0);
        Self { number, person: Person::of(number, locale), joined: FIRST + day * DAY + second * 1_000_000, today }
    }

    fn text(&self, pieces: &[Piece]) -> String {
        let mut text = String::with_capacity(2048);
        for piece in pieces {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Slot(slot) => self.fill(*slot, &mut text),
            }
        }
        text
    }

    fn fill(&self, slot: Slot, into: &mut String) {
        let joined_on = to_date(self.joined);
        match slot {
            Slot::First => into.push_str(self.person.first),
            Slot::Last => into.push_str(self.person.last),
            Slot::Name => into.push_str(&self.person.name()),
            Slot::Email => into.push_str(&self.person.email()),
            Slot::Street => into.push_str(&self.person.street()),
            Slot::Joined => into.push_str(&to_timestamp(self.joined).to_string()),
            Slot::JoinedOn => write_date(joined_on, into),
            Slot::CycleDay => into.push_str(&joined_on.day.to_string()),
            Slot::NextBill(months) => write_date(next_bill(joined_on, months, self.today), into),
            Slot::PaidTo(months) => write_date(add_days(next_bill(joined_on, months, self.today), -1), into),
            Slot::EndedOn => write_date(add_days(joined_on, 60), into),
            Slot::Words => into.push_str(&serde_json::json!(self.words()).to_string()),
            Slot::Number(place) => into.push_str(&self.unique_number(place)),
            Slot::Unique(place) => into.push_str(&format!("demo-{}-{place}", self.number)),
            Slot::Id(place) => into.push_str(&self.id(place)),
        }
    }

    fn words(&self) -> Vec<String> {
        let (first, last) = (self.person.first, self.person.last);
        SearchWords::default().name(first).name(last).address(&self.person.email()).into_list()
    }

    fn unique_number(&self, place: u32) -> String {
        let mixed = mix((u64::from(self.number) << 32) | u64::from(place));
        with_check_digit(&format!("{:013}", mixed % 10_u64.pow(13)))
    }

    /// A UUIDv7 of the instant of joining that is unique to the member and the place.
    fn id(&self, place: u32) -> String {
        let millis = u64::try_from(self.joined / 1000).unwrap_or(0);
        let own =
            (u64::from(self.number) << 30) | (mix((u64::from(self.number) << 16) | u64::from(place)) & 0x3fff_ffff);
        let (time, order) = (millis, u64::from(place) & 0xfff);
        let (high, low) = (0x7000 | order, (0x8000 | ((own >> 48) & 0x3fff), own & 0xffff_ffff_ffff));
        format!("{:08x}-{:04x}-{high:04x}-{:04x}-{:012x}", time >> 16, time & 0xffff, low.0, low.1)
    }
}

/// The first billing day after today.
fn next_bill(joined: Date, months: i32, today: Date) -> Date {
    let passed = (today.year - joined.year) * 12 + today.month - joined.month;
    let mut steps = (passed / months.max(1)).max(1);
    while to_days(add_months(joined, steps * months)) <= to_days(today) {
        steps += 1;
    }
    add_months(joined, steps * months)
}

/// A day in the form of documents.
fn write_date(day: Date, into: &mut String) {
    into.push_str(&format!("{:04}-{:02}-{:02}", day.year, day.month, day.day));
}

/// The writes of several members, by journal.
pub(crate) fn by_journal(writes: impl Iterator<Item = Write>) -> BTreeMap<&'static str, Vec<Write>> {
    let mut journals: BTreeMap<&'static str, Vec<Write>> = BTreeMap::new();
    for write in writes {
        journals.entry(write.table.journal).or_default().push(write);
    }
    journals
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const TODAY: Date = Date { year: 2026, month: 2, day: 28 };

    #[test]
    fn stencil_replaces_only_the_members_own_values() {
        let (plan, order) = ("10000000-0000-4000-8000-000000000001", "01a1fd20-7524-7002-8a0b-3c9e79d4652c");
        let mut doc = serde_json::json!({
            "id": order, "reference": format!("{order}/1"), "planId": plan, "billCycleDay": 3, "requestKey": "abc",
            "address": {"address1": "1 Main Street", "city": "Austin"}, "emails": [{"address": "a@example.com"}],
        });
        let mut found = Found::default();
        mark(&mut doc, 1, &mut found);
        let bare = letter(Slot::CycleDay);
        let text = doc.to_string().replace(&format!("\"{bare}\""), &bare.to_string());
        let pieces = pieces(&text, &mut found);
        let filled = Filled::new(7, Locale::EnUs, TODAY);
        let made: Value = serde_json::from_str(&filled.text(&pieces)).unwrap();
        assert_eq!(made["id"], filled.id(0));
        assert_eq!(made["reference"], format!("{}/1", filled.id(0)));
        assert_eq!(made["planId"], plan);
        assert_eq!(made["billCycleDay"], to_date(filled.joined).day);
        assert_eq!(made["requestKey"], "demo-7-1");
        assert_eq!(
            (&made["address"]["city"], &made["address"]["address1"]),
            (&Value::from("Austin"), &Value::from(filled.person.street()))
        );
        assert_eq!(made["emails"][0]["address"], filled.person.email());
    }

    #[test]
    fn ids_are_of_the_seventh_version_and_each_is_another() {
        let ids: HashSet<String> = (0..500)
            .flat_map(|number| (0..40).map(move |place| Filled::new(number, Locale::EnUs, TODAY).id(place)))
            .collect();
        assert_eq!(ids.len(), 20_000);
        assert!(ids.iter().all(|id| is_made(id) && id.get(14..15) == Some("7") && id.get(19..20) == Some("8")));
    }

    #[test]
    fn the_next_bill_comes_after_today_and_within_a_period() {
        for number in 0..2000 {
            let joined = to_date(Filled::new(number, Locale::EnUs, TODAY).joined);
            for (months, most) in [(1, 31), (12, 366)] {
                let ahead = to_days(next_bill(joined, months, TODAY)) - to_days(TODAY);
                assert!((1..=most).contains(&ahead), "{joined:?} every {months}: {ahead} days");
            }
        }
    }
}
