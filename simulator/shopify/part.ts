import { finalStateOf } from "../accounts/final-state.ts";
import { runToEnd } from "../kernel/invocations.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Part, World } from "../kernel/world.ts";
import { shopifyOf } from "../stores/shopify/opened.ts";
import { checkContracts } from "./check-contracts.ts";
import { checkNotices } from "./check-notices.ts";
import { deliverContractWebhook, editAsMerchant, loseContractWebhook } from "./merchant.ts";

/** How often the merchant still edits a contract at the store. */
const edits = perAccount(() => ({ left: 0 }));

function webhooksOf(world: World): number[] {
  return shopifyOf(world)?.contracts.pendingWebhooks ?? [];
}

function nthOf(world: World): number {
  return world.choices.below(webhooksOf(world).length);
}

/** A merchant edits contracts at Shopify, and webhooks tell of it. */
export const shopify: Part = {
  begin(world) {
    if (shopifyOf(world)) edits(world).left = world.choices.below(world.scenario === "restless" ? 8 : 4);
  },
  acts: [
    {
      name: "edit as merchant",
      weight: (world, isBusy) => (edits(world).left > 0 ? (isBusy ? 3 : 6) : 0),
      act: (world) => {
        edits(world).left--;
        editAsMerchant(world, shopifyOf(world)!);
      },
    },
    {
      name: "deliver webhook",
      weight: (world) => (webhooksOf(world).length > 0 ? 15 : 0),
      act: (world) => deliverContractWebhook(world, shopifyOf(world)!, nthOf(world)),
    },
    {
      name: "lose webhook",
      weight: (world) => (webhooksOf(world).length > 0 ? 2 : 0),
      act: (world) => loseContractWebhook(world, shopifyOf(world)!, nthOf(world)),
    },
  ],
  keepsBooks: /^(update "?(contract_syncs|shopify_contracts)|insert into "?shopify_contracts)/i,
  dueAt: [
    "SELECT MIN(next_action_at) FROM contract_syncs WHERE account_seq = ?1",
    "SELECT MIN(next_action_at) FROM selling_plan_syncs WHERE account_seq = ?1",
  ],
  async restored(world) {
    shopifyOf(world)?.contracts.lostWebhooks.clear();
  },
  async arrive(world) {
    while (webhooksOf(world).length > 0) {
      await deliverContractWebhook(world, shopifyOf(world)!, 0);
      await runToEnd(world);
    }
  },
  async checkAccount(world) {
    const [opened, state] = [shopifyOf(world), await finalStateOf(world)];
    if (!opened) return;
    checkContracts(world, opened, state);
    checkNotices(world, opened, state);
  },
};
