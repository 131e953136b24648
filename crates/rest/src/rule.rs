//! The use that a call makes of cookies.

use pavise_contract::Method;

/// The use that a call makes of cookies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The call may write.
    pub(crate) writes: bool,
    /// The call needs no token: an old cookie does not block it.
    pub(crate) open: bool,
    /// The call is about a browser's session itself: it sees the cookies and may set them.
    pub(crate) session: bool,
}

impl Rule {
    pub(crate) fn of(method: &Method) -> Self {
        let input = method.descriptor.input();
        Self {
            writes: !method.reads(),
            open: method.access.public && method.access.realms.is_empty(),
            session: input.get_field_by_name("refresh_token").is_some() || input.get_field_by_name("cookie").is_some(),
        }
    }
}
