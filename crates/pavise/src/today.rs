//! Today in each answer of a call, so that pages count days as the server does, also where the test clock moved them.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use pavise_kernel::range::SortKey as _;
use pavise_kernel::time::{BusinessClock, to_date};

/// The header: the UTC day of business time as `2026-01-31`, and `;moved` where it is not the machine's.
const TODAY: HeaderName = HeaderName::from_static("pavise-today");

/// Adds the header to the answer, and to a refusal as well. Nobody needs a sign-in for it.
pub(crate) async fn tell_today(clock: BusinessClock, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Ok(value) = HeaderValue::try_from(today_text(&clock)) {
        response.headers_mut().insert(TODAY, value);
    }
    response
}

fn today_text(clock: &BusinessClock) -> String {
    let day = to_date(clock.now()).key();
    if clock.offset() == 0 { day } else { format!("{day};moved") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pavise_kernel::time::{ClockOffset, DAY, TestClock};

    use super::*;

    #[test]
    fn the_day_is_that_of_business_time_and_tells_whether_it_was_moved() {
        let machine = Arc::new(TestClock::at(5 * DAY - 1));
        assert_eq!(today_text(&BusinessClock::new(machine.clone(), None)), "1970-01-05");
        let offset = ClockOffset::new(0);
        let clock = BusinessClock::new(machine, Some(offset.clone()));
        assert_eq!(today_text(&clock), "1970-01-05", "a test clock that nobody moved");
        offset.raise_to(31 * DAY);
        assert_eq!(today_text(&clock), "1970-02-05;moved");
    }
}
