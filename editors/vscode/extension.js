// Starts `enfilade rules lsp` for rulebooks; the program has to be on the path.
const { LanguageClient } = require("vscode-languageclient/node");

let client = null;

exports.activate = () => {
  client = new LanguageClient("enfilade", "Enfilade rulebooks", { command: "enfilade", args: ["rules", "lsp"] }, { documentSelector: [{ language: "enfilade-rules" }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
