//! The types of all replies, as the modules of the page are checked against them.

use std::path::Path;

use super::{
    bundled_texts, completion_route, dice_route, draft_check, file_routes, forms_route, job_routes,
    jobs, live_question, replies, roll_explanation, strategy_route, variant_draft_routes,
    wanted_route,
};

#[path = "../../enfilade-report/tests/types/mod.rs"]
mod typescript;

const TYPESCRIPT_FILE_HEADER: &str =
    "// What the studio answers, made from the structs that are written.

import type {
  AnswersDocument, AnswerInWords, BlockJson, DistributionsDocument, FormsDocument, PricesDocument,
  SampleQuestionAndFileText, TilesDocument,
} from \"../../../crates/enfilade-report/types\";
export * from \"../../../crates/enfilade-report/types\";";

#[test]
fn the_types_of_the_page_are_those_of_the_replies() {
    let types = typescript::Types::new()
        .with::<replies::RefusalReply>()
        .with::<replies::SaveConflictReply>()
        .within::<dice_route::DiceReply>("Partial<DistributionsDocument>")
        .with::<file_routes::FolderReply>()
        .with::<file_routes::FileReply>()
        .within::<forms_route::AllActionFormsReply>("FormsDocument")
        .within::<forms_route::TilesReply>("TilesDocument")
        .with::<jobs::JobEvent>()
        .with::<live_question::LiveReply>()
        .with::<variant_draft_routes::SavedTextsReply>()
        .with::<variant_draft_routes::SavedTextReply>()
        .with::<variant_draft_routes::SavedHashReply>()
        .with::<draft_check::DraftCheckReply>()
        .with::<completion_route::CompletionsReply>()
        .with::<job_routes::JobIdReply>()
        .with::<bundled_texts::BundledTextListReply>()
        .with::<bundled_texts::BundledTextWithCompanions>()
        .with::<roll_explanation::RollExplanation>()
        .with::<strategy_route::StrategyReply>()
        .with::<wanted_route::WantedReply>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/studio/web/types.d.ts");
    types.hold(&path, TYPESCRIPT_FILE_HEADER);
}
