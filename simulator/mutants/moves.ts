import { edit, type Mutant } from "./edits.ts";

const move = "src/edges/operator/move";

/** Bugs of moves between the engines, beside writers and isolates that know nothing of them. */
export const moveMutants: Mutant[] = [
  {
    name: "a copy is made of what has left",
    what: "a step that comes late copies over the account's own rows",
    edits: [
      edit(
        `${move}/being-filled.ts`,
        'return guardUnmoved({ id, moving: to.engine === "object" ? filledBy({ moving }) : moving });',
        'return { sql: "SELECT ?, ?, ?", params: [id, moving, to.engine] };',
      ),
    ],
    caughtBy: { file: "test/operator/move-late.test.ts", test: "a step that was fenced does not undo" },
  },
  {
    name: "an ended object is begun anew",
    what: "a copy that comes late brings the account's rows into the object that was just ended, where they stay",
    edits: [edit(`${move}/state.ts`, "return !mayBeErased(account) && (", "return (")],
    caughtBy: { file: "test/operator/move-late.test.ts", test: "an object that was ended is not begun anew" },
  },
  {
    name: "deleted without a fence",
    what: "what was left behind can be written while it is deleted",
    edits: [
      edit(
        `${move}/finish-leaving.ts`,
        "  let batches = 0;\n",
        "  await commit({ db: d1 }, await findFenceDrops(d1, account.id));\n  let batches = 0;\n",
      ),
    ],
    caughtBy: { file: "test/operator/move-late.test.ts", test: "what was left behind cannot be written" },
  },
  {
    name: "two calls compare at once",
    what: "triggers of what one call copies change the counts that another has found to be equal",
    edits: [
      edit(`${move}/continue-move.ts`, "turn: newId() };", 'turn: "" };'),
      edit(
        `${move}/continue-move.ts`,
        "const taken = { ...account, moving: JSON.stringify(moving) };",
        "const taken = moving.turn ? account : { ...account, moving: JSON.stringify(moving) };",
      ),
    ],
    caughtBy: {
      file: "test/operator/move-late.test.ts",
      test: "of two operators who compare at once one goes on",
    },
  },
  {
    name: "moved without a second look",
    what: "what is written while the account is copied stays behind",
    edits: [edit(`${move}/continue-move.ts`, " || at.changed > 0) {", ") {")],
    caughtBy: "simulator",
    beside: "moves",
  },
  {
    name: "moved without notice",
    what: "an isolate that knows nothing of the move goes on reading the old rows",
    edits: [edit(`${move}/state.ts`, "export const noticeMs = 35_000;", "export const noticeMs = 0;")],
    caughtBy: "simulator",
    beside: "moves",
  },
  {
    name: "moved without a fence",
    what: "what is written between the comparison and the switch is lost",
    edits: [
      edit(
        `${move}/fence.ts`,
        "await commit({ db }, [...also, ...fenceTriggers(fence, refusalOf(movingFault))]);",
        "await commit({ db }, [...also, ...fenceTriggers({ ...fence, tables: [] }, refusalOf(movingFault))]);",
      ),
      edit(
        `${move}/fence.ts`,
        "const triggers = fenceTriggers({ accountId, tables }, refusalOf(movingFault));",
        "const triggers = fenceTriggers({ accountId, tables: tables.slice(0, 0) }, refusalOf(movingFault));",
      ),
    ],
    caughtBy: "simulator",
    beside: "moves",
    times: 4,
  },
];
