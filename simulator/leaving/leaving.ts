import { commit } from "../../src/base/db/commit.ts";
import { insertRow } from "../../src/base/db/row-writes.ts";
import { rows } from "../../src/base/db/statement.ts";
import { acceptOffer } from "../../src/domain/cancellation/actions/accept.ts";
import { confirmCancellation } from "../../src/domain/cancellation/actions/confirm.ts";
import { openCancellation } from "../../src/domain/cancellation/actions/open.ts";
import { frozenOffersOf, type Offer } from "../../src/domain/cancellation/offers.ts";
import { selectOpenCase } from "../../src/domain/cancellation/queries.ts";
import { cancellationFlows } from "../../src/domain/cancellation/tables.ts";
import { getSubscription } from "../../src/domain/subscriptions/queries.ts";
import { linesOf } from "../../src/domain/subscriptions/row-codec.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import { instantOf, type Part, type World } from "../kernel/world.ts";
import { checkLeaving, cooldownDays } from "./check-leaving.ts";

/**
 * A customer is about to leave, again and again, often in several tabs at once: opens a case, accepts one of its offers or cancels, while
 * charges, pauses and cancellations go on beside it, and staff set no other flow.
 */
export async function leaving(world: World): Promise<Part> {
  const { choices, subscriptionId: id } = world;
  await setFlow(world);
  let left = 6 + choices.below(24);

  const ask = (name: string, work: (ctx: Ctx) => Promise<unknown>): Promise<void> => {
    world.count("steps on the way out");
    return spawn(world, name, { type: "api", name: "Leaving" }, untilDone(world, work));
  };
  const open = () => ask("open a case", (ctx) => openCancellation(ctx, { id, request: {} }));
  const accept = (nth: number) =>
    ask("accept an offer", async (ctx) => {
      const [found] = await rows(ctx.db, selectOpenCase(ctx, id));
      const offers = found ? frozenOffersOf(found) : [];
      const offer = offers[nth % Math.max(1, offers.length)];
      if (!found || !offer) return;
      const choice = offer.kind === "FREQUENCY" ? { choice: offer.terms.options[0]! } : {};
      await acceptOffer(ctx, {
        ...{ id, caseId: found.id },
        request: { offer_id: offer.id, ...choice },
      });
    });
  const confirm = () =>
    ask("cancel nevertheless", async (ctx) => {
      const [found] = await rows(ctx.db, selectOpenCase(ctx, id));
      if (found) await confirmCancellation(ctx, { id, caseId: found.id });
    });

  return {
    acts: [
      {
        name: "leaving",
        weight: (_, isBusy) => (left > 0 ? (isBusy ? 12 : 20) : 0),
        async act() {
          left--;
          const step = choices.weighted([
            ["open", 8],
            ["accept", 12],
            ["confirm", 2],
          ] as const);
          if (step === "open") return open();
          if (step === "confirm") return confirm();
          const nth = choices.below(6);
          const tabs = choices.chance(400) ? 3 : 1;
          for (let tab = 0; tab < tabs; tab++) await accept(nth);
        },
      },
    ],

    check: () => checkLeaving(world),
  };
}

async function setFlow(world: World): Promise<void> {
  const { account, database, subscriptionId, choices } = world;
  const variant = await firstVariant(world, subscriptionId);
  const flow = {
    account_seq: account.seq,
    version: 1,
    is_enabled: 1 as const,
    offers: JSON.stringify(offersFor(world, variant)),
    cooldown_days: cooldownDays,
    max_accepted: 1,
    per: choices.pick(["customer", "subscription"] as const),
    show_at_most: 6,
    created_at: instantOf(world),
  };
  await commit({ db: database }, [insertRow(cancellationFlows, flow)]);
}

async function firstVariant(world: World, id: string): Promise<string> {
  const { account, database } = world;
  const ctx = { db: database, account, actor: { type: "system", name: null }, now: instantOf(world) } as Ctx;
  const { row } = await getSubscription(ctx, id);
  return linesOf(row)[0]!.store_variant_id;
}

function offersFor({ newId }: World, variant: string): Offer[] {
  const label = { en: "Stay" };
  const all = {
    label,
    text: null,
    cancellation_reason_ids: [],
    min_cycles_billed: null,
    selling_plan_ids: [],
    store_variant_ids: [],
  };
  const to = { store_product_id: "product-9", store_variant_id: "variant-9", product_title: "Another" };
  const kinds = [
    { kind: "DISCOUNT", terms: { value: 20, value_type: "PERCENTAGE", cycles: 2, max_amount: 3 } },
    { kind: "DISCOUNT", terms: { value: 50, value_type: "PERCENTAGE", cycles: 1, max_amount: 500 } },
    { kind: "PAUSE", terms: { max_days: 4 } },
    { kind: "SKIP", terms: { deliveries: 1 } },
    { kind: "FREQUENCY", terms: { options: [{ interval: "DAY", interval_count: 12 }] } },
    { kind: "SWAP", terms: { from_variant_id: variant, to } },
  ] as const;
  return kinds.map((each, position) => ({ ...all, ...each, id: newId(), position }) as unknown as Offer);
}
