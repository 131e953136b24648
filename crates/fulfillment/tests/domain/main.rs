//! The domain as it is served: its calls over gRPC, its worker driven by its own journal, on a real database. Identity,
//! billing and catalogue are doubles that keep what they were asked for, and any call can get lost.

#[cfg(test)]
mod access;
#[cfg(test)]
mod coverage;
#[cfg(test)]
mod endings;
#[cfg(test)]
mod entitlements;
#[cfg(test)]
mod invitations;
#[cfg(test)]
mod newcomers;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod plan_change;
#[cfg(test)]
mod review;
#[cfg(test)]
mod sale;
#[cfg(test)]
mod world;
