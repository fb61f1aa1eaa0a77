//! `enfilade rules lsp`: faults, remarks, mends and names for any editor, by the Language Server
//! Protocol.
//!
//! The studio has the same from the same functions.

use clap::Args;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::open_texts::OpenTexts;
use self::protocol::{
    ChangeParams, CodeActionParams, CompletionParams, DocumentParams, OpenParams,
    ServerCapabilities,
};
use crate::catalogue::Catalogue;
use crate::cli::command_output::OutputAndError;
use crate::error::{Error, FileError};

mod open_texts;
mod protocol;

/// Serve an editor: faults, remarks, mends and names while you write
///
/// An editor starts it and speaks to it over standard input and output.
#[derive(Debug, Args)]
pub struct LanguageServerArgs {
    /// Some editors add it; there is no other way
    #[arg(long, hide = true)]
    stdio: bool,
}

impl LanguageServerArgs {
    /// Serves until the editor ends the session.
    ///
    /// # Errors
    /// When the editor breaks the protocol, or standard input or output fails.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let (connection, threads) = Connection::stdio();
        let served = serve_editor(&connection, catalogue);
        // The threads end when the connection does.
        drop(connection);
        served.map_err(|why| Error::Usage(format!("the editor broke the protocol: {why}")))?;
        threads
            .join()
            .map_err(FileError::io_error_converter("serving", "standard input and output"))?;
        Ok(OutputAndError::from(String::new()))
    }
}

/// Answers all messages of a session.
fn serve_editor(
    connection: &Connection,
    catalogue: &Catalogue,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    connection.initialize(serde_json::to_value(ServerCapabilities::default())?)?;
    let mut texts = OpenTexts::new(catalogue);
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                connection.sender.send(answer_request(&texts, request).into())?;
            }
            Message::Notification(notification) => apply_notification(&mut texts, notification),
            Message::Response(_) => {}
        }
        // While more is on its way, the text is not what it will be.
        if connection.receiver.is_empty() {
            for diagnostics in texts.check_changed_texts() {
                let method = "textDocument/publishDiagnostics".to_owned();
                connection.sender.send(Notification::new(method, diagnostics).into())?;
            }
        }
    }
    Ok(())
}

fn answer_request(texts: &OpenTexts<'_>, request: Request) -> Response {
    let Request { id, method, params } = request;
    let reply = match method.as_str() {
        "textDocument/completion" => {
            parse_call_and_serialize(params, |asked: CompletionParams| texts.complete(&asked))
        }
        "textDocument/codeAction" => {
            parse_call_and_serialize(params, |asked: CodeActionParams| texts.list_mends(&asked))
        }
        "textDocument/formatting" => {
            parse_call_and_serialize(params, |asked: DocumentParams| texts.format(&asked))
        }
        _ => Err((ErrorCode::MethodNotFound, format!("there is no method {method}"))),
    };
    match reply {
        Ok(result) => Response::new_ok(id, result),
        Err((code, why)) => Response::new_err(id, code as i32, why),
    }
}

fn parse_call_and_serialize<P: DeserializeOwned, R: Serialize>(
    params: serde_json::Value,
    answer: impl FnOnce(P) -> R,
) -> Result<serde_json::Value, (ErrorCode, String)> {
    let invalid = |why: serde_json::Error| (ErrorCode::InvalidParams, why.to_string());
    let asked = serde_json::from_value(params).map_err(invalid)?;
    serde_json::to_value(answer(asked)).map_err(invalid)
}

/// Takes what the editor reports. A report that cannot be read changes nothing, as there is nobody
/// to answer.
fn apply_notification(texts: &mut OpenTexts<'_>, notification: Notification) {
    let Notification { method, params } = notification;
    match method.as_str() {
        "textDocument/didOpen" => {
            if let Ok(OpenParams { text_document: opened }) = serde_json::from_value(params) {
                texts.set(opened.uri, opened.text);
            }
        }
        "textDocument/didChange" => {
            if let Ok(changed) = serde_json::from_value::<ChangeParams>(params) {
                // Changes are whole texts: the last one counts.
                if let Some(text) = changed.content_changes.into_iter().next_back() {
                    texts.set(changed.text_document.uri, text.text);
                }
            }
        }
        "textDocument/didClose" => {
            if let Ok(closed) = serde_json::from_value::<DocumentParams>(params) {
                texts.forget_and_clear_faults(&closed.text_document.uri);
            }
        }
        _ => {}
    }
}
