//! The formats of a command: its own, and every one that a whole report can be written in.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::report::blocks::{WRITERS, Writer};
use crate::report::drawing::{PICTURES, Picture};

/// A format that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown<Own> {
    /// One of the command's own.
    Own(Own),
    /// One that every report can be written in.
    Page(&'static Writer),
}

/// Reads the name of a format. Where the command has one of that name itself, it means its own.
pub fn reader<Own: ValueEnum + Send + Sync + 'static>() -> impl TypedValueParser<Value = Shown<Own>>
{
    let pages = WRITERS.iter().filter(|writer| Own::from_str(writer.name, false).is_err());
    let pages = pages.map(|writer| PossibleValue::new(writer.name).help(writer.about));
    let own = Own::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(own.chain(pages)).try_map(|name| {
        let page = WRITERS.iter().find(|writer| writer.name == name).map(Shown::Page);
        Own::from_str(&name, false).map(Shown::Own).or_else(|unknown| page.ok_or(unknown))
    })
}

/// Reads the name of a format of pictures that this program was built with.
pub fn pictures() -> impl TypedValueParser<Value = &'static Picture> {
    let built = PICTURES.iter().filter(|picture| picture.is_built());
    let names = built.map(|picture| PossibleValue::new(picture.ending).help(picture.about));
    PossibleValuesParser::new(names)
        .try_map(|name| Picture::ending(&name).ok_or("there is no such format"))
}

/// Reads the word of one of `values`, each told by its word and what it is.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    told: fn(T) -> (&'static str, &'static str),
) -> impl TypedValueParser<Value = T> {
    let words = values.iter().map(move |&value| {
        let (word, about) = told(value);
        PossibleValue::new(word).help(about)
    });
    PossibleValuesParser::new(words).try_map(move |given| {
        let found = values.iter().copied().find(|&value| told(value).0 == given);
        found.ok_or("there is no such word")
    })
}
