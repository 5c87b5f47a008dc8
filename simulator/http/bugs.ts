import { hashOfKey, keyIdOf } from "../../src/base/accounts/api-key.ts";
import { answerStatement, insertCommitMark } from "../../src/kit/http/idempotency/idempotency-rows.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs in what a request over HTTP passes: its credential, and its Idempotency-Key. */
export const httpBugs: SeededBug[] = [
  {
    name: "made ids are not recorded",
    what: "a ship-now that died before its answer finds nothing of what it did",
    rule: "a repeated request is answered",
    replaces: [replace(insertCommitMark, (original) => (own) => original(own, {}))],
  },
  {
    name: "each request marks a key of its own",
    what: "each request marks a key of its own, so that one that comes again takes effect again",
    rule: "a key has one effect",
    replaces: [
      replace(insertCommitMark, (original) => (own, created) => {
        return original({ ...own, key: `${own.key} ${own.token}` }, created);
      }),
    ],
  },
  {
    name: "an answer without its body",
    what: "a request that comes again is answered with nothing",
    rule: "a key has one answer",
    replaces: [
      replace(answerStatement, (original) => (keyed, answer) => original(keyed, { ...answer, body: null })),
    ],
  },
  {
    name: "a key is its id",
    what: "a key whose secret is guessed opens the account",
    rule: "a wrong key reaches nothing",
    replaces: [replace(hashOfKey, () => async (text) => keyIdOf(text) ?? "")],
  },
];
