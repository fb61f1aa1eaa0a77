//! The types of all replies, as the modules of the page are checked against them.

use std::path::Path;

use super::{dice, files, forms, jobs, live, papers, reply, rules, runs, texts, why};

#[path = "../../enfilade-report/tests/types/mod.rs"]
mod typescript;

const HEAD: &str = "// What the studio answers, made from the structs that are written.

import type {
  AnswersDocument, AnswerView, BlockJson, DistributionsDocument, FormsDocument, PricesDocument, ReadyQuestion,
  TilesDocument,
} from \"../../../crates/enfilade-report/types\";
export * from \"../../../crates/enfilade-report/types\";";

#[test]
fn the_types_of_the_page_are_those_of_the_replies() {
    let types = typescript::Types::new()
        .with::<reply::Refusal>()
        .with::<reply::Conflict>()
        .within::<dice::DiceReply>("Partial<DistributionsDocument>")
        .with::<files::FolderReply>()
        .with::<files::FileReply>()
        .within::<forms::FormsReply>("FormsDocument")
        .within::<forms::TilesReply>("TilesDocument")
        .with::<jobs::JobEvent>()
        .with::<live::LiveReply>()
        .with::<papers::PapersReply>()
        .with::<papers::PaperReply>()
        .with::<papers::KeptReply>()
        .with::<rules::DraftReply>()
        .with::<runs::JobReply>()
        .with::<texts::TextsReply>()
        .with::<texts::TextReply>()
        .with::<why::RollExplanation>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/studio/page/types.d.ts");
    types.hold(&path, HEAD);
}
