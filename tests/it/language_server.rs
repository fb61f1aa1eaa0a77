//! `enfilade rules lsp`: a session of an editor over standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

/// An editor with one session.
struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Editor {
    fn start() -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_enfilade"));
        let piped =
            command.args(["rules", "lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = piped.spawn().expect("it starts");
        let input = server.stdin.take().expect("an input");
        let output = BufReader::new(server.stdout.take().expect("an output"));
        Editor { server, input, output }
    }

    fn send(&mut self, mut message: Json) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("written");
        self.input.flush().expect("written");
    }

    fn receive(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("readable");
            match line.trim_end() {
                "" => break,
                head => {
                    if let Some(bytes) = head.strip_prefix("Content-Length: ") {
                        length = bytes.parse().expect("a number");
                    }
                }
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("readable");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn ask(&mut self, id: i32, method: &str, params: Json) -> Json {
        self.send(json!({ "id": id, "method": method, "params": params }));
        let reply = self.receive();
        assert_eq!(reply["id"], id, "{reply}");
        reply
    }

    fn notify(&mut self, method: &str, params: Json) {
        self.send(json!({ "method": method, "params": params }));
    }
}

const GAME: &str =
    "game \"Ä\"\nfield skill: 2..6 = 4 \"needs\"\naction fire:\n    hits = 2d6\n    show hit\n";

#[test]
fn an_editor_is_served_from_the_first_fault_to_its_mend() {
    let folder = tempfile::tempdir().expect("a folder");
    let uri = format!("file://{}/my%20game.rules", folder.path().display());
    let text = json!({ "uri": uri });
    let mut editor = Editor::start();
    let able = editor.ask(1, "initialize", json!({ "capabilities": {} }));
    assert_eq!(
        able["result"]["capabilities"]["completionProvider"]["triggerCharacters"],
        json!(["."])
    );
    editor.notify("initialized", json!({}));
    editor.notify("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "enfilade", "version": 1, "text": GAME } }));
    let told = editor.receive();
    assert_eq!(told["method"], "textDocument/publishDiagnostics");
    let fault = &told["params"]["diagnostics"][0];
    assert_eq!(fault["severity"], 1, "{told}");
    let place =
        json!({ "start": { "line": 4, "character": 9 }, "end": { "line": 4, "character": 12 } });
    assert_eq!(fault["range"], place);
    assert!(fault["message"].as_str().expect("a text").contains("did you mean `hits`?"), "{fault}");
    // The mend writes the nearest name there.
    let mends = editor.ask(
        2,
        "textDocument/codeAction",
        json!({ "textDocument": text, "range": place, "context": { "diagnostics": [] } }),
    );
    let edit = &mends["result"][0]["edit"]["changes"][&uri][0];
    assert_eq!((&edit["range"], &edit["newText"]), (&place, &json!("hits")), "{mends}");
    // Names: those of the game, and those of a file that it extends, unsaved as it is.
    let beside = format!("file://{}/base.rules", folder.path().display());
    editor.notify("textDocument/didOpen", json!({ "textDocument": { "uri": beside, "text": "game \"Base\"\nfield distance: 1..3 = 2\naction walk:\n    x = distance\n    show x\n" } }));
    assert_eq!(editor.receive()["params"]["diagnostics"], json!([]));
    let changed = "game \"Ä\" extends \"base.rules\"\naction fire:\n    hits = 2d6\n    show hits\n    keep y = dist";
    editor.notify("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": changed }] }));
    assert_eq!(editor.receive()["params"]["uri"], json!(uri));
    let names = editor.ask(
        3,
        "textDocument/completion",
        json!({ "textDocument": text, "position": { "line": 4, "character": 17 } }),
    );
    assert_eq!(names["result"]["items"][0]["label"], "distance", "{names}");
    assert_eq!(
        names["result"]["items"][0]["textEdit"]["range"]["start"],
        json!({ "line": 4, "character": 13 })
    );
    // A method that is not served is refused, and the session goes on.
    assert_eq!(editor.ask(4, "textDocument/hover", json!({}))["error"]["code"], -32601);
    assert_eq!(
        editor.ask(5, "textDocument/completion", json!({ "no": 1 }))["error"]["code"],
        -32602
    );
    // A closed text has no faults.
    editor.notify("textDocument/didClose", json!({ "textDocument": text }));
    let closed = editor.receive();
    assert_eq!(
        (&closed["params"]["uri"], &closed["params"]["diagnostics"]),
        (&json!(uri), &json!([]))
    );
    assert_eq!(editor.ask(6, "shutdown", Json::Null)["result"], Json::Null);
    editor.notify("exit", Json::Null);
    assert!(editor.server.wait().expect("it ends").success());
}

#[test]
fn an_editor_that_goes_away_ends_the_session() {
    let mut editor = Editor::start();
    editor.ask(1, "initialize", json!({ "capabilities": {} }));
    drop(editor.input);
    let ended = editor.server.wait().expect("it ends");
    assert!(ended.code().is_some(), "{ended:?}");
}
