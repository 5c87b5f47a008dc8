import type { Job } from "../../src/base/job.ts";
import type { Store } from "../../src/stores/port.ts";
import { type SimulatedStore, usualWeights } from "../kernel/store.ts";
import { type Call, call, type Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";
import { currencies } from "./currencies.ts";
import { isGatewayOff, isGatewayUnsteady } from "./gateway.ts";
import { type Ledger, newLedger } from "./ledger.ts";
import type { StoreWatch } from "./watched.ts";

/** A store that is a ledger, which the port is asked of directly. */
export function openLedger(world: World, watch: StoreWatch): SimulatedStore {
  const ledger = newLedger(world.choices, () => world.clock, {
    isQuiesced: () => world.isQuiesced && !isGatewayUnsteady(world),
    isPoor: () => world.scenario === "poor" || isGatewayUnsteady(world),
    isOff: () => isGatewayOff(world),
    isChallenged: () => world.scenario === "challenged",
    forgets: () => !world.isRestorable,
    check: (entry) => watch.charged(world, entry),
    noteConfirmation: (entry) => watch.confirmed(world, entry),
  });
  const unasked = { weights: usualWeights, customer: null, cards: [] };
  return Object.assign(ledger, unasked, {
    drawCurrency: () => world.choices.weighted(currencies),
    open: (task: Task, job: Job | undefined) => storeOf(world, ledger, watch, { task, job }),
  });
}

function storeOf(
  world: World,
  ledger: Ledger,
  watch: StoreWatch,
  { task, job }: { task: Task; job: Job | undefined },
): Store {
  const ask = <T>(what: string, perform: () => T): Promise<T> =>
    call(task, { kind: "query", what: () => what, perform: async () => perform() });
  return {
    findPaymentMethod: (id) =>
      ask("find a payment method", () => ({
        store_payment_method_id: id,
        store_customer_id: null,
        store_customer_email: null,
        brand: "visa",
        last4: "4242",
        exp_month: 12,
        exp_year: 2034,
        is_default: false,
        status: "VALID",
      })),
    createContract: ({ subscription_id: id }) => ask("make a contract", () => ledger.contractOf(id)),
    findCharge: (charge) => ask("look a charge up", () => ledger.find(charge)),
    withdrawCharge: ({ key }) => ask("withdraw a charge", () => ledger.withdraw(key)),
    listRefunds: (charge) => ask("list refunds", () => ledger.refunds.list(charge)),
    refund: (refund) =>
      call(task, {
        kind: "charge",
        what: () => `refund ${refund.amount} of ${refund.reference}`,
        perform: async () => ledger.refunds.make(refund),
        arriveLater: (ms) => ledger.refunds.sendLate(refund, world.clock + ms),
      }),
    charge(charge) {
      const authority = watch.authorize(world, task, job);
      watch.oversells(world, charge.oversells);
      const request: Call = {
        kind: "charge",
        what: () => `charge ${charge.amount} for cycle ${authority.activation}.${authority.cycle}`,
        perform: async () => ledger.charge(charge, authority),
        arriveLater: (ms) => ledger.sendLate({ charge, authority, at: world.clock + ms }),
      };
      return call(task, request);
    },
  };
}
