//! Questionnaires.
