//! The records that staff and programs keep of members, and the businesses of members.

mod amendments;
mod auto_comments;
mod businesses;
mod notes;
mod scene;
