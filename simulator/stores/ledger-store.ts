import type { Job } from "../../src/base/job.ts";
import type { Store } from "../../src/stores/port.ts";
import { noteConfirmation } from "../billing/confirmations.ts";
import { checkCharge } from "../billing/money.ts";
import { authorityOf, isGatewayOff, isGatewayUnsteady, type SimulatedStore } from "../kernel/store.ts";
import { type Call, call, type Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";
import { checkOverselling } from "../orders/check-stock.ts";
import { type Ledger, newLedger } from "./ledger.ts";

/** A store that is a ledger, which the port is asked of directly. */
export function openLedger(world: World): SimulatedStore {
  const ledger = newLedger(world.choices, () => world.clock, {
    isQuiesced: () => world.isQuiesced && !isGatewayUnsteady(world),
    isPoor: () => world.scenario === "poor" || isGatewayUnsteady(world),
    isOff: () => isGatewayOff(world),
    isChallenged: () => world.scenario === "challenged",
    forgets: () => !world.isRestorable,
    check: (entry) => checkCharge(world, entry),
    noteConfirmation: (entry) => noteConfirmation(world, entry),
  });
  return Object.assign(ledger, {
    open: (task: Task, job: Job | undefined) => storeOf(world, ledger, task, job),
  });
}

function storeOf(world: World, ledger: Ledger, task: Task, job: Job | undefined): Store {
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
      const authority = authorityOf(world, task, job);
      checkOverselling(world, charge.oversells);
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
