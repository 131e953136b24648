//! Answers the statement of a member's account.

use pavise_kernel::{Call, Result};

use super::support::account::load_statement;
use crate::contract::v1::{GetStatementRequest, Statement};
use crate::shared::pages::check_member_is_named;

pub(crate) async fn get_statement(call: &Call, request: GetStatementRequest) -> Result<Statement> {
    check_member_is_named(call, &request.identity_id)?;
    Ok(load_statement(call, request.from, request.to).await?.0)
}
