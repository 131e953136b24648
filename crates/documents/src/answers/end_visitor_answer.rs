//! Deletes the answer of a visitor that stayed unfinished.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Answer, AnswerStatus, EndVisitorAnswerRequest};

impl Edit<EndVisitorAnswerRequest> for Answer {
    fn edit(&mut self, _request: &EndVisitorAnswerRequest, context: &EditContext) -> Result<()> {
        // Its visitor may have changed it since, or may have an account by now.
        if self.ends_at.as_ref().is_none_or(|end| context.now() < to_micros(end)) {
            return Ok(());
        }
        self.values.clear();
        self.problems.clear();
        self.notifications.clear();
        self.set_status(AnswerStatus::Deleted);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;
    use crate::contract::v1::AnswerValue;

    #[test]
    fn only_one_whose_time_is_over_ends() {
        let values = vec![AnswerValue::default()];
        let open = Answer { ends_at: Some(to_timestamp(10_000_000)), values, ..Answer::default() };
        let end = |answer: &Answer, at| {
            let mut answer = answer.clone();
            answer.edit(&EndVisitorAnswerRequest::default(), &EditContext::at(at)).unwrap();
            (answer.status() == AnswerStatus::Deleted, answer.values.len())
        };
        assert_eq!(end(&open, 9_999_999), (false, 1));
        assert_eq!(end(&open, 10_000_000), (true, 0));
        assert_eq!(end(&Answer { ends_at: None, ..open }, 10_000_000), (false, 1));
    }
}
