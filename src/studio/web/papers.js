// @ts-check
// What the studio keeps on disk beside the questions: variants and drafts, each a paper with a name of its own.
// Whoever replaces one says which they have seen; where another window was first, both are kept.

import { ask } from "./requests.js";

/** A paper in a list: one that can be read, or the fault of one that cannot.
 * @typedef {Partial<import("./types").SavedTextHead> & { id: string, fault?: string }} Entry */
/** @typedef {import("./types").SavedTextReply & import("./requests.js").Said} Read */

const random = () => crypto.getRandomValues(new Uint32Array(1))[0].toString(36);

/** A name for a paper about this file, or about nothing yet. */
export const called = (of) => `${(of || "question").replace(/\.\w+$/, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 30) || "question"}-${random()}`;

/** The papers of a drawer: what it has, and what can be done with one. */
export const drawer = (kind) => {
  const path = (id) => `/api/${kind}/${encodeURIComponent(id)}`;
  /** @returns {Promise<import("./types").SavedHashReply & import("./requests.js").Said>} */
  const write = (id, paper, hash, keepalive) => ask(path(id), { method: "PUT", body: paper, keepalive, headers: hash ? { "If-Match": `"${hash}"` } : { "If-None-Match": "*" } });
  return {
    /** @returns {Promise<Entry[]>} */
    list: async () => {
      /** @type {import("./types").SavedTextsReply} */
      const reply = await ask(`/api/${kind}`);
      return reply.papers ?? [];
    },
    /** @returns {Promise<Read>} */
    read: (id) => ask(path(id)),
    /** Puts a paper in the place of the one that was seen; under another name where somebody else has changed that one.
     * What it is called and its hash, or the `error` that kept it from being kept. */
    put: async ({ id, hash }, paper, keepalive = false) => {
      let [own, reply] = [id, await write(id, paper, hash, keepalive)];
      const twice = reply.status === 409;
      if (twice) {
        own = called(paper.of);
        reply = await write(own, paper, null, keepalive);
      }
      return reply.error ? { error: reply.error } : { id: own, hash: reply.hash, twice };
    },
    /** Takes one away, if it still is the one that was seen. */
    forget: ({ id, hash }) => (hash ? ask(path(id), { method: "DELETE", headers: { "If-Match": `"${hash}"` } }) : {}),
  };
};
