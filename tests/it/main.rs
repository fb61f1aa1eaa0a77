//! The integration tests, in one binary because each one links everything.

mod asl_walk;
mod engines;
mod enumerate;
mod experiment;
mod statistics;
mod toy;
mod toys;
