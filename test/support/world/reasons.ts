import { newId } from "../../../src/base/lib/ids.ts";
import { type ReasonKind, reasons } from "../../../src/domain/reasons/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

export function reasonPart(kind: ReasonKind): MakePart {
  return ({ account }, mark, { skipReason }) => {
    const ids = [kind === "skip" ? skipReason : newId(), newId()];
    const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}Reason`;
    return {
      writes: ids.map((id, position) =>
        insertOf(reasons, {
          id,
          account_id: account.id,
          kind,
          label: mark,
          description: mark,
          position,
          is_active: 1,
          ...stamps,
        }),
      ),
      paths: { [`/api/subscriptions/${kind}-reasons/{id}`]: { id: ids[0]! } },
      bodies: { [`reorder${title}s`]: { ordered_ids: ids.toReversed() } },
    };
  };
}
