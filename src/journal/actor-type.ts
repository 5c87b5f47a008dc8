import { z } from "@hono/zod-openapi";
import { actorTypes } from "../context.ts";

/** Who acts, as entries and events name it. */
export const ActorType = z.enum(actorTypes).openapi("ActorType");
