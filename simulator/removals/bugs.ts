import { insertAccount } from "../../src/base/accounts/actions.ts";
import { readAccount, readEntry } from "../../src/base/accounts/queries.ts";
import { guard } from "../../src/base/db/guard.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { removeThrough } from "../../src/edges/operator/delete-through.ts";
import { deletionFenceStatements } from "../../src/edges/operator/move/fence.ts";
import { waitMs } from "../../src/edges/operator/move/state.ts";
import { guardsNothing, replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs of deletions and imports of accounts, beside writers and isolates that know nothing of them. */
export const removalBugs: SeededBug[] = [
  bug({
    name: "deletion without a fence",
    what: "an isolate that knows nothing of a deletion writes to the account",
    rule: "nothing of a closed account is written",
    replaces: [replace(deletionFenceStatements, (original) => (fence) => original({ ...fence, tables: [] }))],
  }),
  bug({
    name: "deletion without notice",
    what: "rows of an account go while isolates still serve it",
    rule: "no row goes while an isolate may serve it",
    replaces: [replace(waitMs, () => () => 0)],
  }),
  bug({
    name: "contracts outlive their account",
    what: "the sandbox store keeps the contracts of an account that is deleted",
    rule: "a deleted account leaves nothing",
    replaces: [
      replace(removeThrough, (original) => async (d1, account, table) => {
        return table.name === "own_contracts" ? 0 : original(d1, account, table);
      }),
      replace(guard, () => () => guardsNothing),
    ],
  }),
  bug({
    name: "a deletion stops halfway",
    what: "a deletion waits for isolates for ever",
    rule: "a deletion comes to its end",
    replaces: [replace(waitMs, () => () => dayMs)],
  }),
  bug({
    name: "a closed account is served",
    what: "callers and messages find an account that is being deleted, or of which not all rows are there",
    rule: "nobody is served from a closed account",
    replaces: [replace(readAccount, () => (db, id) => readEntry(db, { id }))],
  }),
  bug({
    name: "open from its first row",
    what: "an account that is imported is open before its rows are there",
    rule: "an account is imported whole",
    replaces: [replace(insertAccount, (original) => (account) => original({ ...account, moving: null }))],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "removal" };
}
