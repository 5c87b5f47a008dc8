import { edit, type Mutant } from "./edits.ts";

const move = "src/edges/operator/move";

/** Bugs of moves between the engines, beside writers and isolates that know nothing of them. */
export const moveMutants: Mutant[] = [
  {
    name: "moved without a second look",
    what: "what is written while the account is copied stays behind",
    edits: [edit(`${move}/continue-move.ts`, " || at.changed > 0) {", ") {")],
    beside: "moves",
  },
  {
    name: "moved without notice",
    what: "an isolate that knows nothing of the move goes on reading the old rows",
    edits: [edit(`${move}/state.ts`, "export const noticeMs = 35_000;", "export const noticeMs = 0;")],
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
    beside: "moves",
    times: 4,
  },
];
