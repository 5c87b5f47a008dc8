import type { Ctx } from "../../../kit/context.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../../stores/port.ts";

/** The store's answer; undefined while the store is down or refuses the credentials, or if it is asked nothing. */
export async function ifAnswered<T>(ctx: Ctx, answer: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError || error instanceof StoreRefusalError)) throw error;
    ctx.log("store_not_asked", { cause: error.message });
    return undefined;
  }
}
