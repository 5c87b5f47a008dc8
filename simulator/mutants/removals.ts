import { edit, type Mutant } from "./edits.ts";

const operator = "src/edges/operator";
const closed = "src/base/accounts/closed.ts";

/** Bugs of deletions and imports of accounts, beside writers and isolates that know nothing of them. */
export const removalMutants: Mutant[] = [
  {
    name: "deletion without a fence",
    what: "an isolate that knows nothing of a deletion writes to the account",
    edits: [
      edit(
        `${operator}/deletion.ts`,
        "const fence = deletionFence({ accountId: account.id, tables });",
        "const fence = deletionFence({ accountId: account.id, tables: tables.slice(0, 0) });",
      ),
    ],
    rule: "nothing of a closed account is written",
  },
  {
    name: "deletion without notice",
    what: "rows of an account go while isolates still serve it",
    edits: [
      edit(
        `${operator}/deletion.ts`,
        "waitMs(closing.since, ports.now, noticeMs)",
        "waitMs(closing.since, ports.now, 0)",
      ),
    ],
    rule: "no row goes while an isolate may serve it",
  },
  {
    name: "contracts outlive their account",
    what: "the sandbox store keeps the contracts of an account that is deleted",
    edits: [
      edit(
        `${operator}/deletion.ts`,
        "  const tables = await accountTables(d1);\n  let batches = 0;",
        "  const tables = (await accountTables(d1)).filter(({ name }) => name !== 'own_contracts');\n  let batches = 0;",
      ),
    ],
    rule: "a deleted account leaves nothing",
  },
  {
    name: "a deletion stops halfway",
    what: "a deletion that was begun on an earlier day is not gone on with",
    edits: [
      edit(
        `${operator}/deletion.ts`,
        'if (closing?.step !== "deleting") return closeAccount(ports, account);',
        'if (closing?.step !== "deleting") return closeAccount(ports, account);\n  if (closing.since < ports.now.slice(0, 11)) return { step: "closed", isDone: false, waitMs: noticeMs, rows: {} };',
      ),
    ],
    rule: "a deletion comes to its end",
  },
  {
    name: "a closed account is served",
    what: "callers and messages find an account that is being deleted",
    edits: [edit(closed, "NOT IN ('deleting', 'importing'))", "NOT IN ('importing'))")],
    rule: "nobody is served from a closed account",
  },
  {
    name: "a part of an account is served",
    what: "callers and messages find an account of which not all rows are there",
    edits: [edit(closed, "NOT IN ('deleting', 'importing'))", "NOT IN ('deleting'))")],
    rule: "nobody is served from a closed account",
  },
  {
    name: "rows of triggers stay",
    what: "an import leaves a row as a trigger has made it",
    edits: [
      edit(`${operator}/move/copy.ts`, "there.get(nameOf(row)) !== textOf(row)", "!there.has(nameOf(row))"),
    ],
    rule: "an account is imported whole",
  },
  {
    name: "open from its first row",
    what: "an account that is imported is open before its rows are there",
    edits: [
      edit(
        `${operator}/import.ts`,
        "return { ...(account as unknown as ForeignAccount), engine, moving };",
        "return { ...(account as unknown as ForeignAccount), engine, moving: null };",
      ),
    ],
    rule: "an account is imported whole",
  },
].map((mutant) => ({ ...mutant, beside: "removal" }));
