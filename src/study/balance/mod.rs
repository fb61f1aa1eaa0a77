//! Point costs: what a weapon should cost, from force against force.
//!
//! An arsenal becomes battles, battles become [evidence](evidence::Evidence), and evidence becomes
//! prices with intervals. The evidence is the seam: what lies before it knows the rules of a
//! system and no statistics, what lies behind it knows statistics and no rules, and can be tested
//! on arsenals whose fair prices are known.

pub mod evidence;
