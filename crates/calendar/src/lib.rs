//! Business time: when something is open, in its own time zone.
//!
//! A [`Calendar`] has the hours of a [`Week`], closed days and [`Holiday`]s. It answers the times at which it is open, the
//! next opening, the end of so much business time, and the business time between two instants. [`days`] has the instants of
//! a time of day before and after a day.
//!
//! Something is open when the clock at its wall says so. So hours that a clock change repeats are open twice, and hours
//! that it leaves out are not open on that day. The crate reads no clock: every instant is an argument. Time zones come
//! from the database that is compiled in, so that an answer is the same on every machine.

mod calendar;
pub mod days;
mod holiday;
mod open;
mod week;

pub use calendar::Calendar;
pub use holiday::Holiday;
pub use jiff;
pub use open::{Interval, Open};
pub use week::{Span, Week, WeekError};
