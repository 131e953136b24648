//! Rules of every stored amendment.

use pavise_kernel::{Error, Invariants, Result, time};

use crate::contract::v1::Amendment;

impl Invariants for Amendment {
    fn check(&self) -> Result<()> {
        for (field, day) in [("effective_on", self.effective_on), ("ends_on", self.ends_on)] {
            if day.is_some_and(|day| !time::is_real(day)) {
                return Err(Error::field(field, "is no day of the calendar"));
            }
        }
        match (self.effective_on, self.ends_on) {
            (None, _) => Err(Error::missing_field("effective_on")),
            (Some(first), Some(last)) if time::to_days(last) < time::to_days(first) => {
                Err(Error::field("ends_on", "must not be before effective_on"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;

    use super::*;

    #[test]
    fn an_amendment_ends_on_its_first_day_or_later() {
        let day = |month, day| Some(Date { year: 2026, month, day });
        let from = |effective_on, ends_on| Amendment { effective_on, ends_on, ..Amendment::default() }.check();
        from(day(3, 1), None).unwrap();
        from(day(3, 1), day(3, 1)).unwrap();
        let field = |effective_on, ends_on| from(effective_on, ends_on).unwrap_err().violations()[0].field.clone();
        assert_eq!(field(day(3, 1), day(2, 28)), "ends_on");
        assert_eq!(field(day(2, 30), None), "effective_on");
        assert_eq!(field(day(1, 1), day(6, 31)), "ends_on");
        assert_eq!(field(None, None), "effective_on");
    }
}
