//! Time zones of the IANA database.

use pavise_calendar::jiff::tz::{TimeZone, db};

/// The name of a time zone as the database spells it: `America/Chicago`. `None` if the database does not have it.
#[must_use]
pub fn normalize_name(name: &str) -> Option<String> {
    let zone = find_zone(name)?;
    zone.iana_name().map(str::to_owned)
}

/// The time zone of that name.
#[must_use]
pub fn find_zone(name: &str) -> Option<TimeZone> {
    // Names are ASCII, and none is so long.
    if name.len() > 64 || !name.is_ascii() {
        return None;
    }
    db().get(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_spelt_as_the_database_has_them() {
        for (name, expected) in
            [("america/chicago", "America/Chicago"), ("UTC", "UTC"), ("Pacific/Honolulu", "Pacific/Honolulu")]
        {
            assert_eq!(normalize_name(name).as_deref(), Some(expected));
        }
        for name in ["", "Chicago", "America/Atlantis", "+05:00", "../../etc/passwd", "America/Chicago "] {
            assert_eq!(normalize_name(name), None, "{name}");
        }
    }
}
