//! The helpers of several services of documents.
