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
    caughtBy: "simulator",
    rule,
  },
  {
    name: "two take the last place",
    what: "nothing keeps two requests at once from taking the last place of a day",
    edits: [
      edit(
        "src/domain/delivery/room.ts",
        "AND counts.count > slot.max_",
        "AND counts.count > 1000 + slot.max_",
      ),
    ],
    caughtBy: { file: "test/delivery/room.test.ts", test: "of requests at once, one takes the last place" },
  },
  {
    name: "another time of the same day",
    what: "a customer moves to a time of the day at which nobody can deliver any more",
    edits: [
      edit(
        "src/domain/subscriptions/bounds/places.ts",
        "former?.slot.id === place.slot.id && former.date === place.date",
        "former?.date === place.date",
      ),
    ],
    caughtBy: { file: "test/delivery/full-days.test.ts", test: "takes a place there, and is refused" },
  },
];
