//! Answers to questionnaires.
