import type { Account } from "../../accounts/tables.ts";
import type { Db } from "../../db/client.ts";
import { dateIn } from "../../lib/dates.ts";
import {
  type Charge,
  type ChargeAnswer,
  type KnownCharge,
  type Store,
  StoreRefusalError,
  UnknownOutcomeError,
} from "../port.ts";
import { findCharge, makeCharge } from "./charges.ts";
import { type Connection, requestShopify } from "./client.ts";
import { withContractLease } from "./contract-lease.ts";
import {
  contractFor,
  findMarked,
  findStatus,
  prepareContract,
  pushContract,
  requireContract,
  setStatus,
} from "./contracts.ts";
import { deliveryOf } from "./deliveries.ts";
import { findPaymentMethod } from "./payment-methods.ts";
import { type Log, shopifyRecords } from "./records.ts";
import type { Ask } from "./request.ts";
import { findSoldContract } from "./sold-contract.ts";

type Parts = {
  db: Db;
  account: Pick<Account, "id" | "timezone">;
  now: string;
  realNow: string;
  connect: () => Promise<Connection>;
  log: Log;
};

/** A Shopify store, by its Admin API. An attempt is asynchronous there: it is made, then asked about. */
export const shopifyStore = ({ db, account, now, realNow, connect, log }: Parts): Store => {
  const { id: accountId, timezone } = account;
  const calendar = () => ({ today: dateIn(now, timezone), timezone });
  const ask: Ask = async (query, variables) => requestShopify(await connect(), query, variables);

  /** A refusal of a whole request tells nothing of a charge, nor of a payment method: the token may be wrong. */
  const requestForPayment: Ask = (query, variables) =>
    ask(query, variables).catch((error) => {
      throw error instanceof StoreRefusalError ? new UnknownOutcomeError(error.message) : error;
    });

  const lookUp = (charge: KnownCharge): Promise<ChargeAnswer | undefined> =>
    findCharge(requestForPayment, charge);

  const prepare = async ({ readDesired, store_contract_id }: Charge): Promise<void> => {
    const desired = { ...(await readDesired()), next_billing_date: null };
    const delivery = await deliveryOf(db, accountId, desired);
    await prepareContract(requestForPayment, store_contract_id, desired, calendar(), delivery);
  };

  return {
    async requireConnection() {
      await connect();
    },
    findCharge: lookUp,
    /** Shopify has no way to give a challenge up: it ends by itself. */
    withdrawCharge: lookUp,
    /** Its key lets it be asked again at once, so after silence nobody is kept waiting for the contract. */
    async charge(charge) {
      const ended = () => Promise.allSettled([makeCharge(requestForPayment, charge, () => prepare(charge))]);
      const [made] = await withContractLease(db, accountId, charge.subscription_id, realNow, ended);
      if (made.status === "rejected") throw made.reason;
      return made.value;
    },
    findPaymentMethod: (id) => findPaymentMethod(requestForPayment, id, now),
    async createContract(desired) {
      const { id, isMade } = await contractFor(ask, desired);
      const delivery = await deliveryOf(db, accountId, desired);
      await (isMade ? delivery.note() : delivery.forget());
      return id;
    },
    contracts: {
      withContractLease: (subscriptionId, work) =>
        withContractLease(db, accountId, subscriptionId, realNow, work),
      find: (id) => findSoldContract(ask, id),
      noteDelivery: async (desired) => (await deliveryOf(db, accountId, desired)).note(),
      findOf: (desired) => findMarked(ask, desired),
      findStatus: (id) => findStatus(ask, id),
      setStatus: (id, status) => setStatus(ask, id, status),
      async push(id, desired) {
        const delivery = await deliveryOf(db, accountId, desired);
        await pushContract(ask, await requireContract(ask, id), desired, calendar(), delivery);
      },
    },
    records: shopifyRecords(ask, log),
  };
};
