//! The helpers of several services of members.
