import { requireInTime } from "../../src/domain/subscriptions/undo/requirements.ts";
import { restoreColumns } from "../../src/domain/subscriptions/undo/restore-columns.ts";
import { undoChange } from "../../src/domain/subscriptions/undo/undo-change.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Takes a change back whatever has been changed since. */
export const overwriteChanges = replace(restoreColumns, (original) => (row, image, now) => {
  const wrote = Object.entries(image.changes.columns).map(([name, { to }]) => [name, to]);
  return original({ ...row, ...Object.fromEntries(wrote) }, image, now);
});

/** Bugs in how changes are taken back. */
export const undoBugs: SeededBug[] = [
  bug({
    name: "the place on the grid is not restored",
    what: "what was skipped or paused comes back with its dates, and not with what they are counted from",
    rule: "what is undone is as before",
    replaces: [
      replace(restoreColumns, (original) => (...change) => {
        const undone = original(...change);
        if (!("columns" in undone)) return undone;
        const { anchor_date: _, next_index: __, pause_until: ___, ...columns } = undone.columns;
        return { columns };
      }),
    ],
  }),
  bug({
    name: "undone again",
    what: "a change that was undone is undone a second time, whatever has come since",
    rule: "a change is undone once",
    replaces: [replace(requireInTime, () => () => {}), overwriteChanges],
  }),
  bug({
    name: "undone in another's name",
    what: "the history has one member of staff for what another has taken back",
    rule: "the history names who acted",
    replaces: [
      replace(
        undoChange,
        (original) =>
          (ctx, ...change) =>
            original({ ...ctx, actor: { ...ctx.actor, name: "Ada" } }, ...change),
      ),
    ],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "undo" };
}
