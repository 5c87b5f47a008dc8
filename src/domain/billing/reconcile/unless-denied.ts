import type { Ctx } from "../../../kit/context.ts";
import { AccessDeniedError } from "../../../stores/port.ts";

/** Looks at something of the store by night. A store whose key may not read it is left alone, and people are told. */
export async function unlessDenied(ctx: Ctx, topic: string, look: () => Promise<unknown>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    const { message: cause } = error;
    ctx.log("store_access_denied", { alert: true, account_id: ctx.account.id, topic, cause });
  }
}
