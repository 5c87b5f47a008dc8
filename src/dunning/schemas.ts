import { z } from "@hono/zod-openapi";
import { listOf } from "../http/pagination.ts";
import { instant } from "../http/params.ts";
import { episodeStatuses } from "./tables.ts";

export const DunningEpisodeBody = z
  .strictObject({
    id: z.string(),
    subscription_id: z.string(),
    cycle: z.int(),
    status: z.enum(episodeStatuses),
    attempt_count: z.int(),
    max_attempts: z.int(),
    next_retry_at: instant.nullable(),
    last_error_code: z.string().nullable(),
    last_error_message: z.string().nullable(),
    opened_at: instant,
    closed_at: instant.nullable(),
  })
  .openapi("DunningEpisode");

export const DunningEpisodeList = listOf(DunningEpisodeBody, "DunningEpisodeList");
