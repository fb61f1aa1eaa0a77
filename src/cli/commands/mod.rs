//! The commands, a file or a folder each.

pub mod balance;
pub mod bench;
pub mod compare;
pub mod completions;
pub mod dice;
pub mod explain;
mod influence_pictures;
#[cfg(feature = "studio")]
pub mod live;
pub mod man;
pub mod new;
pub mod odds;
mod one_distribution;
pub mod rules;
pub mod run;
pub mod schema;
pub mod seek;
mod seek_dice;
mod seek_folder;
mod seek_journal;
mod seek_pictures;
mod seek_price;
#[cfg(feature = "parquet")]
mod seek_sweep;
#[cfg(feature = "studio")]
pub mod serve;
#[cfg(feature = "studio")]
mod site;
#[cfg(feature = "studio")]
pub mod studio;
#[cfg(feature = "parquet")]
pub mod sweep;
pub mod systems;
mod systems_json;
pub mod table;
pub mod verify;
