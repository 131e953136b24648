//! The fulfillment of an entitlement.

use crate::contract::v1::FulfillmentStatus as Status;

/// Whether the fulfillment may go from `current` to `target`.
pub(crate) fn may_follow(current: Status, target: Status) -> bool {
    match current {
        Status::NotFulfilled => target == Status::PendingCreate,
        Status::PendingCreate | Status::PendingChange => target == Status::Fulfilled,
        Status::Fulfilled => target == Status::PendingChange,
        Status::Unspecified => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fulfillment_goes_as_the_lifecycle_says() {
        let all = [
            Status::Unspecified,
            Status::Fulfilled,
            Status::NotFulfilled,
            Status::PendingChange,
            Status::PendingCreate,
        ];
        let pairs = all.iter().flat_map(|from| all.iter().map(move |to| (*from, *to)));
        let allowed: Vec<_> = pairs
            .filter(|(from, to)| may_follow(*from, *to))
            .map(|(from, to)| (from.spelling(), to.spelling()))
            .collect();
        let declared = [
            ("Fulfilled", "PendingChange"),
            ("NotFulfilled", "PendingCreate"),
            ("PendingChange", "Fulfilled"),
            ("PendingCreate", "Fulfilled"),
        ];
        assert_eq!(allowed, declared);
    }
}
