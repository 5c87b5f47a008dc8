import { hourMs } from "../../src/base/lib/time/durations.ts";
import { followConfirmedLate } from "../../src/domain/billing/actions/confirmed-late.ts";
import { findAttempt, isOpen } from "../../src/domain/billing/queries.ts";
import { runToEnd, spawn } from "../kernel/invocations.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { StoreCharge } from "../kernel/store.ts";
import type { World } from "../kernel/world.ts";

/** The attempts whose challenges were confirmed late, of which the store's webhooks are under way. */
export const confirmationsOf = perAccount((): string[] => []);

/** Notes that a customer has confirmed a challenge. The store's webhook about it is often lost. */
export function noteConfirmation(world: World, charge: StoreCharge): void {
  charge.confirmedAtCommit = world.commits;
  if (world.clock - charge.requestedAt < challengeMs) return;
  world.count("challenges confirmed late");
  if (world.choices.chance(500)) confirmationsOf(world).push(charge.attempt_id);
}

/** The store's webhooks about confirmations come. Where another attempt is under way, such a webhook is put off. */
export async function hearConfirmations(world: World): Promise<void> {
  for (const id of confirmationsOf(world).splice(0)) {
    await spawn(
      world,
      "a webhook about a confirmed challenge",
      { type: "system", name: null },
      async (ctx) => {
        const attempt = await findAttempt(ctx, id);
        if (!attempt || isOpen(attempt)) return;
        if ((await followConfirmedLate(ctx, attempt)) === "later") confirmationsOf(world).push(id);
      },
    );
    if (world.isQuiesced) await runToEnd(world);
  }
}

/** Whether one of two charges of a cycle was confirmed by the customer, long after it was requested and once the other was under way. */
export function areByCustomer(one: StoreCharge, other: StoreCharge): boolean {
  return isConfirmedAfter(one, other) || isConfirmedAfter(other, one);
}

/** So long a customer has to confirm a payment; a later confirmation may come when something else has been tried. */
const challengeMs = 72 * hourMs;

function isConfirmedAfter(challenge: StoreCharge, { commit, requestedAt }: StoreCharge): boolean {
  return (
    challenge.confirmedAtCommit !== undefined &&
    challenge.confirmedAtCommit >= commit &&
    requestedAt - challenge.requestedAt >= challengeMs
  );
}
