import type { Account } from "../../base/accounts/tables.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import type { Log } from "../../base/lib/log.ts";
import { dateIn } from "../../base/lib/time/dates.ts";
import { unlessGone } from "../gone-method.ts";
import { isSameStoreId } from "../ids.ts";
import type { DesiredContract } from "../port/contracts.ts";
import { type Charge, type Store, StoreRefusalError, UnknownOutcomeError } from "../port.ts";
import { findCharge, makeCharge } from "./charges.ts";
import { findMadeCharge, listCharges } from "./charges-made.ts";
import { PartlyDeniedError, requestShopify, type ShopAccess } from "./client.ts";
import { findChanges, namesOf } from "./contracts/contract-changes.ts";
import { withContractLease } from "./contracts/contract-lease.ts";
import { findContractPage } from "./contracts/contract-pages.ts";
import {
  contractFor,
  findState,
  listLiving,
  prepareContract,
  pushContract,
  requireContract,
  setStatus,
} from "./contracts/contracts.ts";
import { findCycle } from "./contracts/cycles.ts";
import { findSoldContract } from "./contracts/sold-contract.ts";
import { sentDelivery } from "./deliveries.ts";
import { findPaymentMethod, sendUpdateEmail } from "./payment-methods.ts";
import { shopifyPlans } from "./plans/own-plans.ts";
import { withKnownPlans } from "./plans/plan-ids.ts";
import { shopifyRecords } from "./records.ts";
import { shopifyRemoteMethods } from "./remote-methods.ts";
import type { AskShopify } from "./request.ts";

type Parts = {
  db: Db;
  account: Pick<Account, "id" | "seq" | "timezone">;
  now: string;
  realNow: string;
  connect: () => Promise<ShopAccess>;
  /** Whether the shop has uninstalled the app; the account is disconnected then. */
  isUninstalled: () => Promise<boolean>;
  log: Log;
};

/** A Shopify store, reached by its Admin API. Its charges are asynchronous: an attempt is created, then read until it is settled. */
export function shopifyStore({ db, account, now, realNow, connect, isUninstalled, log }: Parts): Store {
  const { id: accountId, seq: accountSeq, timezone } = account;
  const calendar = () => ({ today: dateIn(now, timezone), timezone });
  /** Shopify refuses the token of an app that was uninstalled, whether or not its webhook arrives. */
  const ask: AskShopify = async (query, variables) => {
    const connection = await connect();
    return requestShopify(connection, query, variables).catch(async (error) => {
      const isRefused = error instanceof StoreRefusalError && error.codes.includes("HTTP_401");
      if (isRefused && (await isUninstalled())) throw new UnknownOutcomeError(error.message);
      throw error;
    });
  };

  /** A refusal of a whole request says nothing about a charge or a payment method: the token may be wrong. */
  const askAboutPayment: AskShopify = (query, variables) =>
    ask(query, variables).catch((error) => {
      throw error instanceof StoreRefusalError ? new UnknownOutcomeError(error.message) : error;
    });

  /** Records the outcome of a charge even where the app may not read its order. */
  const askAboutCharge: AskShopify = (query, variables) =>
    ask(query, variables).catch((error) => {
      if (!(error instanceof StoreRefusalError)) throw error;
      if (!(error instanceof PartlyDeniedError)) throw new UnknownOutcomeError(error.message);
      log("store_access_denied", { alert: true, account_id: accountId, cause: error.message });
      return error.data;
    });

  const withLease = <T>(subscriptionId: string, work: (isHeld: Statement) => Promise<T>): Promise<T> =>
    withContractLease({ db, accountSeq, subscriptionId, realNow }, work);

  const withPlans = <T>(desired: DesiredContract, work: (desired: DesiredContract) => Promise<T>) =>
    withKnownPlans({ db, accountSeq, desired }, work);

  const prepare = async ({ readDesired, store_contract_id }: Charge): Promise<void> =>
    withPlans(await readDesired(), async (known) => {
      const desired = { ...known, next_billing_date: null };
      const delivery = sentDelivery(db, accountSeq, desired);
      await prepareContract(askAboutPayment, store_contract_id, desired, calendar(), delivery);
    });

  /** The payment method of a charge; one that the contract has instead, or that nobody has named, says nothing of it. */
  const findChargedMethod = async ({ store_contract_id, store_payment_method_id: id }: Charge) => {
    const state = id === null ? undefined : await findState(askAboutPayment, store_contract_id);
    const charged = state?.store_payment_method_id ?? id;
    if (id === null || charged === null || !isSameStoreId("CustomerPaymentMethod", charged, id))
      throw new UnknownOutcomeError("The contract has another payment method, or none");
    return findPaymentMethod(askAboutPayment, id, now);
  };

  return {
    async requireConnection() {
      await connect();
    },
    findCharge: (charge) => findCharge(askAboutCharge, charge),
    /** Shopify cannot withdraw a challenge, which expires by itself. */
    withdrawCharge: (charge) => findCharge(askAboutCharge, charge),
    /** The lease ends even without an answer, because the attempt's key makes it safe to ask again at once. */
    async charge(charge) {
      const attempt = () => Promise.allSettled([makeCharge(askAboutCharge, charge, () => prepare(charge))]);
      const [result] = await withLease(charge.subscription_id, attempt);
      if (result.status === "rejected") throw result.reason;
      return unlessGone(result.value, () => findChargedMethod(charge));
    },
    listCharges: (page) => listCharges(ask, page),
    findMadeCharge: (reference) => findMadeCharge(ask, reference),
    findPaymentMethod: (id) => findPaymentMethod(askAboutPayment, id, now),
    askForPaymentMethod: (id) => sendUpdateEmail(ask, id),
    createContract: (given, replaced) =>
      withPlans(given, async (desired) => {
        const delivery = sentDelivery(db, accountSeq, desired);
        await delivery.mark();
        const { id, isNew } = await contractFor(ask, desired, replaced);
        if (isNew) await delivery.note(id);
        return id;
      }),
    contracts: {
      withContractLease: withLease,
      find: (id) => findSoldContract(ask, id),
      noteDelivery: (id, made) => sentDelivery(db, accountSeq, made).noteFirst(id),
      listLiving: (desired) => listLiving(ask, desired),
      findState: (id) => findState(ask, id),
      listPage: (page) => findContractPage(ask, page),
      findCycle: (id, selector) => findCycle(ask, id, selector),
      setStatus: (id, status) => setStatus(ask, id, status),
      push: (id, given) =>
        withPlans(given, async (desired) => {
          const delivery = sentDelivery(db, accountSeq, desired);
          await pushContract(ask, await requireContract(ask, id), desired, calendar(), delivery);
        }),
      findDifferences: (id, given) =>
        withPlans(given, async (known) => {
          const desired = { ...known, next_billing_date: null };
          return namesOf(findChanges(await requireContract(ask, id), desired, calendar(), true));
        }),
    },
    plans: shopifyPlans(ask),
    records: shopifyRecords(ask, log),
    remoteMethods: shopifyRemoteMethods(ask),
  };
}
