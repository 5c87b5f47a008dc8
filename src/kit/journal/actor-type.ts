import { z } from "@hono/zod-openapi";
import { actorTypes } from "../context.ts";

/** Who acts, as entries and events name it. */
export const ActorType = z.enum(actorTypes).openapi("ActorType", {
  description:
    "Who acts. customer: a customer, by a customer's token. admin: a member of staff, by an admin's token. api: a program, by a key or an api token. system: the service itself, on schedule or by a webhook of the store.",
});
