//! The domain as it is served: its calls over gRPC, its worker driven by its own journal, on a real database. Identity,
//! billing and catalogue are doubles that keep what they were asked for, and any call can get lost.

mod access;
mod coverage;
mod endings;
mod entitlements;
mod invitations;
mod merges;
mod newcomers;
mod outside;
mod plan_change;
mod review;
mod sale;
mod scene;
