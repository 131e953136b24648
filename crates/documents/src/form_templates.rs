//! Templates of forms.

mod create_form_template;
mod publish_form_template;
mod put_form_template;
pub(crate) mod rules;
mod support;
