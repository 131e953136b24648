//! Ids that are recorded once.

use pavise_kernel::{Error, Result};

use crate::contract::v1::ErrorReason;

/// Sets `place` once. The same value again changes nothing; another one is refused with `message`.
///
/// # Errors
/// `ALREADY_RECORDED`.
pub(crate) fn record_once(place: &mut String, value: &str, message: &str) -> Result<()> {
    if place.is_empty() {
        value.clone_into(place);
        return Ok(());
    }
    if place == value { Ok(()) } else { Err(Error::new(ErrorReason::AlreadyRecorded, message)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_filled_once() {
        let mut place = String::new();
        record_once(&mut place, "a", "no").unwrap();
        record_once(&mut place, "a", "no").unwrap();
        assert_eq!(record_once(&mut place, "b", "no").unwrap_err().reason(), "ALREADY_RECORDED");
        assert_eq!(place, "a");
    }
}
