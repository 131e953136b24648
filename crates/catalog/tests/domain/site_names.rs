//! Site names: one entity has each, whatever fails between the steps. The domain runs alone, and its wire to the keeper
//! of names can be cut.

mod model;
mod scene;
mod steps;
