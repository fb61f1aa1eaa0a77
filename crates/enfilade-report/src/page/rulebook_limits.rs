//! Limits of the rulebooks on a page, and how their sources are read.

use std::collections::BTreeMap;

use crate::blocks::StyledSentence;
use crate::blocks::html::{self, render_paragraph};
use crate::text::xml_escape::escape_xml;
use enfilade_model::catalogue::System;
use enfilade_model::form::Words;
use enfilade_study::answer::Answer;

/// Renders the limits of the rulebooks, and how their sources are read.
pub(super) fn render_limits_of_used_systems(answers: &[Answer]) -> String {
    let systems = answers.iter().map(|answer| &answer.system);
    let systems_by_id: BTreeMap<&str, &System> =
        systems.map(|system| (&*system.id, &**system)).collect();
    systems_by_id.into_values().map(render_limits_of_system).collect()
}

fn render_limits_of_system(system: &System) -> String {
    let lines = |all: &Words| {
        html::render_list(&all.iter().map(StyledSentence::new_plain).collect::<Vec<_>>())
    };
    let mut out = format!("<h3>{}: {}</h3>\n", escape_xml(&system.id), escape_xml(&system.title));
    out.push_str(&render_paragraph("remark", &format!("Source: {}", system.source)));
    out.push_str(&lines(&system.not_modelled));
    if !system.readings.is_empty() {
        let readings = lines(&system.readings);
        out.push_str(&format!(
            "<div class=\"screen\"><p>How the source is read:</p>\n{readings}</div>\n"
        ));
    }
    out
}
