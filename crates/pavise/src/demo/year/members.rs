//! The members of the run: their plans, their cards, and what they do when a card is refused.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value answers null where there is nothing")]

use std::collections::VecDeque;

use pavise_catalog::demo::{LEGAL, PERSONAL_US};
use pavise_kernel::common::v1::Date;
use pavise_kernel::hex::to_hex;
use pavise_kernel::range::SortKey as _;
use pavise_kernel::time::{Ids, add_days, add_months, to_days};
use serde_json::{Value, json};

use super::desk::{Desk, text};

/// After so many members the habits begin anew.
const HABITS: u32 = 20;
/// The first bills are spread over so many days.
const SPREAD: u32 = 28;
/// The days after which a member leaves, and one gets money back.
const LEAVES_AFTER: i64 = 75;
const REFUNDED_AFTER: i64 = 45;
/// The months after which a card expires.
const EXPIRES_AFTER: i32 = 2;
/// Tokens of the test vendor: they are paid, answered late, refused softly, and refused for good.
const GOOD: [&str; 4] = ["test_4111111111111111", "test_5555555555554444", "test_bank_0001", "test_6011111111111117"];
const ANSWER_IS_LOST: &str = "test_4000000000000005";
const POOR: &str = "test_4000000000000002";
const STOLEN: [&str; 2] = ["test_4000000000000004", "test_bank_0004"];
/// The regions in which taxes are due, per currency.
const PLACES: [(&str, &str); 2] = [("USD", "TX"), ("CAD", "ON")];

/// The reason for which a member takes another card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// The first one.
    Begins,
    /// An invoice is FAILED or DELINQUENT.
    Refused,
    /// The subscription has this status.
    Is(&'static str),
}

/// A card or an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Card {
    token: &'static str,
    /// The months after which it expires.
    months: Option<i32>,
}

const fn lasting(token: &'static str) -> Card {
    Card { token, months: None }
}

/// The deeds of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Habit {
    /// The cards, each with its reason.
    cards: VecDeque<(Reason, Card)>,
    leaves: bool,
    is_refunded: bool,
}

/// A member of the run.
#[derive(Debug)]
pub(super) struct Member {
    identity: String,
    subscription: String,
    habit: Habit,
}

/// Makes the tax areas of the members, where they are not there yet.
pub(super) async fn seed_taxes(desk: &Desk) -> anyhow::Result<()> {
    for (_, region) in PLACES {
        desk.call("tax.SeedTaxArea", json!({"locality": region})).await?;
    }
    Ok(())
}

/// The habit of the member of that number.
fn choose_habit(number: u32) -> Habit {
    let pick = |tokens: &[&'static str], place: u32| tokens.get(usize::try_from(place).unwrap_or(usize::MAX)).copied();
    let first = lasting(pick(&GOOD, number % 4).unwrap_or(GOOD[0]));
    let pays_at = |reason: Reason| vec![(Reason::Begins, lasting(POOR)), (reason, first)];
    let only = |card: Card| vec![(Reason::Begins, card)];
    let expires = Card { months: Some(EXPIRES_AFTER), ..lasting(GOOD[0]) };
    let cards = match number % HABITS {
        12 => only(lasting(ANSWER_IS_LOST)),
        13 => only(lasting(POOR)),
        14 => vec![(Reason::Begins, lasting(POOR)), (Reason::Refused, expires), (Reason::Refused, lasting(GOOD[1]))],
        15 => pays_at(Reason::Is("SUSPENDED")),
        16 => pays_at(Reason::Is("PRECANCEL")),
        // A token that was refused for good rests for every member who has it. So one member has it alone.
        17 => only(lasting(pick(&STOLEN, number / HABITS).unwrap_or(POOR))),
        18 => vec![(Reason::Begins, expires), (Reason::Is("SUSPENDED"), lasting(GOOD[1]))],
        19 => only(expires),
        _ => only(first),
    };
    Habit { cards: cards.into(), leaves: number % HABITS == 11, is_refunded: number % HABITS == 10 }
}

impl Member {
    /// Signs a member up, with a plan whose first bill is due in the next days.
    pub(super) async fn enroll(desk: &Desk, number: u32, begin: Date) -> anyhow::Result<Self> {
        let mut bytes = [0; 8];
        Ids::random().fill_random(&mut bytes);
        // The address alone differs between two runs: one database may see several.
        let email = format!("year-{number}-{}@example.com", to_hex(&bytes));
        let identity = desk.call("identities.CreateIdentity", json!({"realm": "User", "emails": [email]})).await?;
        let mut member = Self {
            identity: text(&identity["id"]).to_owned(),
            subscription: String::new(),
            habit: choose_habit(number),
        };
        if let Some((_, card)) = member.habit.cards.pop_front() {
            member.add_card(desk, card, begin).await?;
        }
        let subscription = desk.call("subscriptions.CreateSubscription", member.build_plan(number, begin)).await?;
        text(&subscription["id"]).clone_into(&mut member.subscription);
        Ok(member)
    }

    /// Reads their subscription as it stands now.
    pub(super) async fn read_subscription(&self, desk: &Desk) -> anyhow::Result<Value> {
        let ask = json!({"identityId": self.identity, "subscriptionId": self.subscription});
        desk.call("subscriptions.GetSubscription", ask).await
    }

    fn build_plan(&self, number: u32, begin: Date) -> Value {
        // Not on the first day: its work may be done already.
        let first = add_days(begin, i64::from(1 + number * 5 % SPREAD)).key();
        let is_annual = [1, 6, 9].contains(&(number % HABITS));
        let (currency, region) = PLACES[usize::from(number % 4 == 2)];
        let price = json!({"currency": currency, "amount": if is_annual { "29900" } else { "2995" }});
        json!({
            "identityId": self.identity, "offerId": PERSONAL_US, "administrativeArea": region,
            "billingPeriod": if is_annual { "ANNUAL" } else { "MONTHLY" }, "startedOn": first, "nextBillOn": first,
            "items": [{"type": "PRODUCT", "productId": LEGAL, "tierId": "individual", "name": "Legal", "family": "lgl", "price": price}],
        })
    }

    /// Does what is to be done on a day, when the work of the platform is over.
    pub(super) async fn act(&mut self, desk: &Desk, begin: Date, today: Date) -> anyhow::Result<()> {
        let passed = to_days(today) - to_days(begin);
        if let Some((reason, card)) = self.habit.cards.front().copied()
            && self.has_reason(desk, reason).await?
        {
            self.add_card(desk, card, begin).await?;
            self.habit.cards.pop_front();
        }
        if self.habit.leaves && passed >= LEAVES_AFTER {
            let end = json!({"identityId": self.identity, "subscriptionId": self.subscription, "reason": "MEMBER_REQUESTED_CANCEL"});
            desk.call("subscriptions.PendingCancelSubscription", end).await?;
            self.habit.leaves = false;
        }
        if self.habit.is_refunded && passed >= REFUNDED_AFTER {
            let ask = json!({"identityId": self.identity, "status": "PAID"});
            let paid = desk.list("invoices.ListInvoices", "invoices", &ask).await?;
            if let Some(invoice) = paid.first() {
                let refund = json!({"identityId": self.identity, "invoiceId": invoice["id"]});
                desk.call("invoices.RefundInvoice", refund).await?;
                self.habit.is_refunded = false;
            }
        }
        Ok(())
    }

    async fn has_reason(&self, desk: &Desk, reason: Reason) -> anyhow::Result<bool> {
        match reason {
            Reason::Begins => Ok(true),
            Reason::Refused => {
                let ask = json!({"identityId": self.identity});
                let invoices = desk.list("invoices.ListInvoices", "invoices", &ask).await?;
                Ok(invoices.iter().any(|invoice| ["FAILED", "DELINQUENT"].contains(&text(&invoice["status"]))))
            }
            Reason::Is(status) => Ok(self.read_subscription(desk).await?["status"] == status),
        }
    }

    async fn add_card(&self, desk: &Desk, card: Card, begin: Date) -> anyhow::Result<()> {
        let method = build_method(card, begin);
        let request = json!({"identityId": self.identity, "paymentMethod": method});
        desk.call("payment_methods.CreatePaymentMethod", request).await?;
        Ok(())
    }
}

fn build_method(card: Card, begin: Date) -> Value {
    let last4: String = card.token.chars().skip(card.token.len().saturating_sub(4)).collect();
    let mut method = json!({"vendor": "TEST", "vendorToken": card.token, "isDefault": true});
    if card.token.starts_with("test_bank") {
        method["type"] = json!("BANK_DRAFT");
        method["bankAccount"] =
            json!({"type": "CHECKING", "routingLast4": "0021", "last4": last4, "holderName": "Ada Example"});
    } else {
        let (year, month) = card.months.map_or((2099, 12), |months| {
            let last = add_months(Date { day: 1, ..begin }, months);
            (last.year, last.month)
        });
        method["type"] = json!("CREDIT_CARD");
        method["card"] = json!({"brand": "VISA", "last4": last4, "expiryMonth": month, "expiryYear": year, "holderName": "Ada Example"});
    }
    method
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_habit_is_met_and_a_stolen_token_is_one_members() {
        let habits: Vec<Habit> = (0..300).map(choose_habit).collect();
        assert_eq!(habits[13], choose_habit(13), "nothing but the number decides");
        let with = |token: &str| habits.iter().filter(|habit| habit.cards[0].1.token == token).count();
        for token in STOLEN {
            assert_eq!(with(token), 1, "{token}");
        }
        assert!(with(POOR) >= 60 && with(ANSWER_IS_LOST) == 15);
        for reason in [Reason::Refused, Reason::Is("SUSPENDED"), Reason::Is("PRECANCEL")] {
            assert!(habits.iter().any(|habit| habit.cards.iter().any(|(known, _)| *known == reason)), "{reason:?}");
        }
        assert!(habits.iter().any(|habit| habit.leaves) && habits.iter().any(|habit| habit.is_refunded));
    }

    #[test]
    fn a_card_expires_in_its_month() {
        let begin = Date { year: 2026, month: 11, day: 30 };
        let expires = build_method(Card { months: Some(3), ..lasting(POOR) }, begin);
        assert_eq!((&expires["card"]["expiryMonth"], &expires["card"]["expiryYear"]), (&json!(2), &json!(2027)));
        assert_eq!(build_method(lasting("test_bank_0001"), begin)["type"], "BANK_DRAFT");
    }
}
