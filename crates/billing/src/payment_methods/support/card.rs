//! The expiry of a card.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Error, Result};

use crate::contract::v1::Card;

/// Whether the last month of the card is over.
pub(crate) fn is_expired(card: &Card, today: Date) -> bool {
    (card.expiry_year, card.expiry_month) < (today.year, today.month)
}

/// The first day on which the card cannot be used.
pub(crate) fn first_day_after(card: &Card) -> Date {
    let (year, month) =
        if card.expiry_month >= 12 { (card.expiry_year + 1, 1) } else { (card.expiry_year, card.expiry_month + 1) };
    Date { year, month, day: 1 }
}

/// Refuses a card that has expired.
pub(crate) fn check_expiry(field: &str, card: &Card, today: Date) -> Result<()> {
    if is_expired(card, today) { Err(Error::field(field, "the card has expired")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_expires_at_the_end_of_its_last_month() {
        let card = Card { expiry_month: 2, expiry_year: 2026, ..Card::default() };
        assert!(!is_expired(&card, Date { year: 2026, month: 2, day: 28 }));
        assert!(is_expired(&card, Date { year: 2026, month: 3, day: 1 }));
        assert!(is_expired(&card, Date { year: 2027, month: 1, day: 1 }));
        assert!(!is_expired(&card, Date { year: 2025, month: 12, day: 31 }));
        assert_eq!(first_day_after(&card), Date { year: 2026, month: 3, day: 1 });
        let december = Card { expiry_month: 12, ..card };
        assert_eq!(first_day_after(&december), Date { year: 2027, month: 1, day: 1 });
    }
}
