import { z } from "@hono/zod-openapi";
import { demoId } from "../../../base/demo.ts";
import { named } from "../../../kit/http/document/describe.ts";
import { idIn } from "../../../kit/http/document/params.ts";

export const UndoRequest = named(
  "UndoRequest",
  z.strictObject({ entry_id: idIn }),
  {
    entry_id: [
      "The id of the change's entry in the subscription's history: that of its event and of the response header `Entry-Id` of the request that made it.",
      demoId("subscription", 1),
    ],
  },
  { example: { entry_id: demoId("subscription", 1) } },
);
