import type { z } from "@hono/zod-openapi";
import type { Statement } from "../../../base/db/port.ts";
import { insertRow } from "../../../base/db/row-writes.ts";
import { sha256Hex } from "../../../base/lib/encoding.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ConsentRequest } from "./schemas.ts";
import { consents } from "./tables.ts";

/** The writes that keep what a customer has agreed to, for each of the subscriptions that were created with it. */
export async function consentStatements(
  ctx: Ctx,
  consent: z.output<typeof ConsentRequest> | undefined,
  subscriptionIds: string[],
): Promise<Statement[]> {
  if (!consent) return [];
  const { text, channel, source = null, agreed_at = ctx.now } = consent;
  const sha256 = await sha256Hex(text);
  return subscriptionIds.map((subscription_id) =>
    insertRow(consents, {
      id: ctx.newId(),
      account_seq: ctx.account.seq,
      subscription_id,
      ...{ text, sha256, channel, source, agreed_at },
      prune_at: later(ctx.realNow, keptMs),
      created_at: ctx.now,
    }),
  );
}

/** Three years, a leap day among them: for consents, and for the declarations that end what was agreed to. */
export const keptMs = 1096 * dayMs;
