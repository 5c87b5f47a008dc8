import { z } from "@hono/zod-openapi";
import { demoId } from "../demo.ts";
import { pageQuery } from "../http/pagination.ts";
import { futureDateIn, idIn } from "../http/params.ts";

export const ShipNowRequest = z
  .strictObject({
    delivery_date: futureDateIn.optional(),
    slot_id: idIn.optional(),
    production_date: futureDateIn.optional(),
    allow_repeat: z.boolean().optional().openapi({
      description:
        "Whether to bill the next cycle even if an attempt was started less than ten minutes ago. Without it such a request answers that attempt, so that a double click never charges twice.",
      example: false,
    }),
  })
  .openapi("ShipNowRequest", { example: {} });

export const PagesQuery = z.strictObject(pageQuery);

export const attemptPath = z.object({
  id: idIn.openapi({ example: demoId("subscription", 1) }),
  attemptId: idIn.openapi({ example: demoId("billing_attempt", 1) }),
});
