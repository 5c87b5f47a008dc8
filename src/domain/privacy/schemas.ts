import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { instant, queryBoolean } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { DryRunQuery } from "../../kit/http/preview/dry-run-query.ts";

export const DeleteProfileQuery = DryRunQuery.extend({
  erase: queryBoolean.optional().openapi({
    param: {
      description:
        "Whether everything personal is erased as well, which cannot be undone. Asked for by a token of staff, or by a program whose credentials have the scope account:write.",
    },
  }),
});

const ProfileErasureBody = named(
  "ProfileErasure",
  z.strictObject({ profile_id: idOut, requested_at: instant }),
  {
    profile_id: ["The id of the profile, which orders and history keep.", demoId("profile", 1)],
    requested_at: [
      "When the erasure was asked for: UTC, in the account's own time.",
      "2026-11-20T12:00:00.000Z",
    ],
  },
  { description: "A customer whose data is being erased." },
);

export const ProfileErasureData = dataOf(ProfileErasureBody, "ProfileErasureData", "The erasure.");
