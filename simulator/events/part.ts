import { finalStateOf } from "../accounts/final-state.ts";
import type { Part, World } from "../kernel/world.ts";
import { checkDeliveries, checkNoneWaits } from "./check-deliveries.ts";
import { checkHistory } from "./check-history.ts";
import { resendSomething, tendEndpoints } from "./endpoint-keeper.ts";
import { receivers } from "./endpoint-network.ts";
import { readNextDelivery } from "./endpoint-rows.ts";
import { endpointsOf } from "./endpoints.ts";

function hasEndpoints(world: World): boolean {
  return endpointsOf(world).length > 0;
}

/** Events are sent to endpoints, which people tend. */
export const events: Part = {
  acts: [
    {
      name: "tend endpoints",
      weight: ({ worlds }) => (worlds.some(hasEndpoints) ? 1 : 0),
      act: async ({ worlds }) => {
        for (const one of worlds) await tendEndpoints(one);
      },
    },
    {
      name: "resend a delivery",
      weight: ({ worlds }) => (worlds.some(hasEndpoints) ? 2 : 0),
      act: ({ choices, worlds }) => resendSomething(choices.pick(worlds)),
    },
  ],
  keepsBooks:
    /^(update "?(event_deliveries|webhook_endpoints)|insert into "?(event_deliveries|webhook_endpoints))/i,
  peer: receivers,
  findNext: async (world) => (hasEndpoints(world) ? readNextDelivery(world) : undefined),
  async end({ worlds }) {
    for (const one of worlds) await tendEndpoints(one);
    for (const one of worlds) await resendSomething(one);
  },
  async rest({ worlds }) {
    for (const one of worlds) if (hasEndpoints(one)) await checkNoneWaits(one);
  },
  async checkAccount(world) {
    checkHistory(world, await finalStateOf(world));
    await checkDeliveries(world);
  },
};
