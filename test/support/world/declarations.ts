import { declarations } from "../../../src/domain/declarations/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

const path = "/api/declarations/{id}";

/** A withdrawal that waits for staff. */
export const declarationPart: MakePart = ({ account }, mark, { declaration: id }) => ({
  writes: [
    insertOf(declarations, {
      id,
      account_id: account.id,
      revision: 1,
      kind: "withdrawal",
      status: "TO_DO",
      email: "ada@example.com",
      email_folded: "ada@example.com",
      name: mark,
      number: null,
      number_folded: "",
      wants_on: null,
      is_for_cause: 0,
      reason: mark,
      locale: "en",
      received_at: stamps.created_at,
      recorded_at: stamps.created_at,
      matched_subscription_ids: "[]",
      tries: 0,
      prune_at: "2099-01-01T00:00:00.000Z",
      ...stamps,
    }),
  ],
  paths: { [path]: { id } },
});
