//! Lists the sessions of an identity.

use pavise_kernel::{Call, Page, Result};

use super::support::session::is_over;
use crate::contract::v1::{ListSessionsRequest, ListSessionsResponse, Session, SessionStatus};

pub(crate) async fn list_sessions(call: &Call, request: ListSessionsRequest) -> Result<ListSessionsResponse> {
    let page = Page { size: request.page_size, token: &request.page_token, ..Page::default() };
    let (mut sessions, next_page_token) = call.list_page::<Session>(page).await?;
    if !request.include_ended {
        sessions.retain(|session| session.status() == SessionStatus::Active && !is_over(session, call.machine_now()));
    }
    Ok(ListSessionsResponse { sessions, next_page_token })
}
