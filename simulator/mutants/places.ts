import { edit, type Mutant, schema } from "./edits.ts";

const rule = "a delivery takes one place";

/** Bugs that bill and deliver as agreed, and count the deliveries of a slot's day wrongly. */
export const placeMutants: Mutant[] = [
  {
    name: "a place is never free again",
    what: "a delivery that moves, is paused or becomes an order keeps the place that it had",
    edits: [
      edit(schema, "WHERE OLD.status = 'ACTIVE' AND account_seq", "WHERE OLD.status = '' AND account_seq"),
    ],
    rule,
  },
];
