//! Warnings about contests that take long, and the question whether to continue.

use std::io::{self, BufRead, IsTerminal, Write};

use super::signals;
use crate::form::sanitize::group_digits;
use crate::study::solve::forecast::{CostForecast, FieldStateGrowth};

/// Forecast in seconds up to which no confirmation is needed.
pub const UNWARNED_SECONDS: f64 = 5.0;

/// Formats the forecast for the contest called `name`, with the fields that make it large.
pub fn states_and_time_line(name: &str, forecast: &CostForecast) -> String {
    let (states, time) = (round_to_two_digits(forecast.states), format_duration(forecast.seconds));
    let mut line = format!("{name}: about {states} states, {time}");
    let most = |growth: &FieldStateGrowth| {
        let FieldStateGrowth { path, now, factor } = growth;
        format!("; most by `{path}` {now}, with one less {factor:.1} times fewer")
    };
    line.extend(forecast.fields.first().filter(|growth| growth.factor >= 1.1).map(most));
    let part = forecast.part.as_ref().filter(|(_, values)| *values > 2);
    line.extend(part.map(|(label, _)| format!("; they differ most in: {label}")));
    line
}

/// Formats the time left for the work on `name`, at its pace so far: `how` is the amount of work.
pub fn time_left_line(name: &str, seconds: f64, how: &str) -> String {
    format!("{name}: about {}, for {how}", format_duration(seconds))
}

/// Formats the warning about a contest that takes long without a forecast.
pub fn still_working_warning(name: &str) -> String {
    format!(
        "{name}: still at work after {UNWARNED_SECONDS:.0} s, without an estimate; press Ctrl-C to stop"
    )
}

/// Formats the warning about a file that is still read.
pub fn still_reading_warning(name: &str) -> String {
    let name = crate::report::text::sentences::replace_control_chars(name);
    format!(
        "{name}: still being read after {UNWARNED_SECONDS:.0} s: every cell is checked, and every ending that a follow-up starts from is solved"
    )
}

/// Formats the time that all `cells` take together, with `seconds` left.
pub fn total_time_left_line(cells: u64, seconds: f64) -> String {
    format!("{} cells: about {} at the pace so far", group_digits(cells), format_duration(seconds))
}

/// Rounds a large number to two digits.
pub fn round_to_two_digits(number: f64) -> String {
    match number {
        1e9.. => format!("{:.1} thousand million", number / 1e9),
        1e7.. => format!("{:.0} million", number / 1e6),
        1e6.. => format!("{:.1} million", number / 1e6),
        _ => group_digits((number / 1e4).ceil() as u64 * 10_000),
    }
}

/// Formats a time in the largest unit of which it has two.
pub fn format_duration(seconds: f64) -> String {
    match seconds {
        172_800.0.. => format!("{} days", group_digits((seconds / 86_400.0) as u64)),
        7200.0.. => format!("{:.0} hours", seconds / 3600.0),
        120.0.. => format!("{:.0} minutes", seconds / 60.0),
        _ => format!("{seconds:.0} s"),
    }
}

/// Whether a person is there to answer.
pub fn is_terminal_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on the terminal whether to continue. Meanwhile Ctrl-C ends the program at once: no work is
/// running.
pub fn confirm_on_terminal(prompt: &str) -> bool {
    signals::let_next_signal_kill();
    let goes_on = confirm_yes_or_no(prompt, &mut io::stdin().lock(), &mut io::stderr());
    goes_on && signals::token_of_first_signal().is_ok()
}

fn confirm_yes_or_no(prompt: &str, from: &mut impl BufRead, to: &mut impl Write) -> bool {
    let mut answer = String::new();
    let asked = write!(to, "{prompt}\ncontinue? [Y/n] ").and_then(|()| to.flush());
    let read = asked.and_then(|()| from.read_line(&mut answer));
    // The end of the input is no answer.
    let answer = answer.trim().to_lowercase();
    matches!(read, Ok(1..)) && (answer.is_empty() || "yes".starts_with(&answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast() -> CostForecast {
        let growth = FieldStateGrowth { path: "target.count".into(), now: 4, factor: 3.25 };
        let part = Some(("broken".into(), 7));
        let (states, held, seconds) = (6.04e6, 1e6, 41.7);
        CostForecast {
            states,
            held_states: held,
            seconds,
            fields: vec![growth],
            part,
            tried_states: 1000,
        }
    }

    #[test]
    fn what_it_takes_is_told_in_one_line() {
        assert_eq!(
            states_and_time_line("a fight", &forecast()),
            "a fight: about 6.0 million states, 42 s; most by `target.count` 4, with one less 3.2 times \
             fewer; they differ most in: broken"
        );
        let bare = CostForecast {
            states: 2.4e10,
            seconds: 8000.0,
            fields: Vec::new(),
            part: None,
            ..forecast()
        };
        assert_eq!(
            states_and_time_line("x", &bare),
            "x: about 24.0 thousand million states, 2 hours"
        );
        assert_eq!(
            (round_to_two_digits(123_456.0), format_duration(150.0)),
            (group_digits(130_000), "2 minutes".into())
        );
        assert_eq!(format_duration(900_000.0), "10 days");
        assert_eq!(time_left_line("x", 12.0, "9 trials"), "x: about 12 s, for 9 trials");
        let line = "x: still at work after 5 s, without an estimate; press Ctrl-C to stop";
        assert_eq!(still_working_warning("x"), line);
        assert_eq!(
            total_time_left_line(32, 600.0),
            "32 cells: about 10 minutes at the pace so far"
        );
    }

    #[test]
    fn only_yes_and_nothing_go_on() {
        let answered = |answer: &str| {
            let mut asks = Vec::new();
            let goes_on = confirm_yes_or_no("six", &mut answer.as_bytes(), &mut asks);
            assert_eq!(asks, b"six\ncontinue? [Y/n] ");
            goes_on
        };
        for yes in ["\n", "y\n", "Yes\n", " yes "] {
            assert!(answered(yes), "{yes:?}");
        }
        for no in ["", "n\n", "no\n", "yesterday\n", "?\n"] {
            assert!(!answered(no), "{no:?}");
        }
    }
}
