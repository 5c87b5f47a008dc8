import { resumeBilling } from "../../src/domain/disputes/resume-billing.ts";
import { spawn } from "../kernel/invocations.ts";
import { untilDone } from "../kernel/until-done.ts";
import type { Part, World } from "../kernel/world.ts";
import type { OpenStripe } from "../stores/stripe/opened.ts";
import { blocksOf, newBlocks } from "./blocks.ts";
import { checkDisputes } from "./check-disputes.ts";

/**
 * Customers dispute at their banks what they have paid, and win, lose or let it rest days later, while the account is billed; after a loss
 * the merchant sometimes lets billing go on.
 */
export function disputes(world: World, stripe: OpenStripe): Part {
  const { choices, subscriptionId: id } = world;
  const blocks = newBlocks(world);
  blocksOf.set(world, blocks);
  let left = 1 + choices.below(4);
  let resumptions = choices.below(4);

  const isLost = (): boolean => stripe.disputes.entries.some(({ status }) => status === "lost");
  const dispute = (): void => {
    left--;
    world.count("disputes");
    stripe.disputes.open(choices.pick(stripe.disputes.undisputed()));
  };
  const resume = (): Promise<void> => {
    resumptions--;
    world.count("times that billing was resumed");
    const work = untilDone(world, (ctx) => resumeBilling(ctx, { id }));
    return spawn(world, "resume billing", { type: "admin", name: "Ada" }, work);
  };
  return {
    acts: [
      {
        name: "disputes",
        weight(_, isBusy) {
          const mayOpen = left > 0 && stripe.disputes.undisputed().length > 0;
          const mayResume = resumptions > 0 && isLost();
          return mayOpen || mayResume ? (isBusy ? 12 : 24) : 0;
        },
        async act() {
          const step = choices.weighted([
            ["dispute", left > 0 && stripe.disputes.undisputed().length > 0 ? 3 : 0],
            ["resume billing", resumptions > 0 && isLost() ? 2 : 0],
          ] as const);
          if (step === "dispute") return dispute();
          return resume();
        },
      },
    ],
    async arrive() {
      if (left > 0 && stripe.disputes.undisputed().length > 0 && choices.chance(60)) dispute();
      if (resumptions > 0 && isLost() && choices.chance(30)) await resume();
    },
    watch: blocks.look,
    restored: blocks.restore,
    check: () => checkDisputes(world, stripe),
  };
}
