import { contentsOf } from "../../../src/domain/cancellation/offers.ts";
import { cancellationCases, cancellationFlows } from "../../../src/domain/cancellation/tables.ts";
import { insertOf } from "../database.ts";
import { type Ids, type MakePart, stamps } from "./part.ts";
import { contentColumns, far, subscriptionRow } from "./subscription-rows.ts";

const path = "/api/subscriptions/{id}/cancellations";

/** A flow with a discount, and two customers who are about to leave: one accepts it, the other goes. */
export const cancellationPart: MakePart = (of, mark, ids) => {
  const { account } = of;
  const { leaving, leavingCase, going, goingCase, offer, profile, plan } = ids;
  const offered = {
    id: offer,
    kind: "DISCOUNT",
    label: { en: mark },
    text: { en: mark },
    terms: { value: 10, value_type: "PERCENTAGE", cycles: 2, max_amount: 5 },
  };
  const state = {
    status: "ACTIVE",
    next_billing_date: far,
    next_delivery_date: far,
    total: 20,
    frequency_label: "Every month",
  };
  const preview = {
    before: state,
    after: { ...state, total: 18 },
    next_charge_before: { date: far, amount: 20 },
    next_charge_after: { date: far, amount: 18 },
    saves: 2,
  };
  const contents = contentColumns(mark, ids);
  const newCase = (id: string, subscription_id: string) =>
    insertOf(cancellationCases, {
      id,
      account_id: account.id,
      subscription_id,
      profile_id: profile,
      activation: 1,
      flow_version: 1,
      status: "OPEN",
      cancellation_reason_id: null,
      cancellation_reason_label: mark,
      note: mark,
      offers: JSON.stringify([{ ...offered, line_id: null, preview }]),
      contents: contentsOf(contents),
      currency_code: "USD",
      opened_date: "2026-01-01",
      expires_at: "2099-01-01T00:00:00.000Z",
      is_tracked: 0,
      cost: 0,
      revenue_after: 0,
      ...stamps,
    });
  const all = { cancellation_reason_ids: [], selling_plan_ids: [], store_variant_ids: [] };
  return {
    writes: [
      insertOf(cancellationFlows, {
        account_id: account.id,
        version: 1,
        is_enabled: 1,
        offers: JSON.stringify([{ ...offered, ...all, min_cycles_billed: null, position: 0 }]),
        cooldown_days: 180,
        max_accepted: 1,
        per: "subscription",
        show_at_most: 2,
        created_at: stamps.created_at,
      }),
      subscriptionRow(of, mark, ids, { ...contents, id: leaving, number: 1005 }),
      subscriptionRow(of, mark, ids, { ...contents, id: going, number: 1006 }),
      newCase(leavingCase, leaving),
      newCase(goingCase, going),
    ],
    paths: {
      [path]: { id: ids.subscription },
      [`${path}/{caseId}`]: caseOf(ids, "leaving"),
      [`${path}/{caseId}/accept`]: caseOf(ids, "leaving"),
      [`${path}/{caseId}/confirm`]: caseOf(ids, "going"),
    },
    queries: { getRetention: { from: "2026-01-01", to: "2026-01-31" } },
    bodies: {
      updateCancellationFlow: {
        offers: [
          { kind: "PAUSE", label: { en: "Pause" }, terms: { max_days: 30 }, selling_plan_ids: [plan] },
        ],
      },
      openCancellation: { note: "Enough" },
      acceptCancellationOffer: { offer_id: offer },
    },
  };
};

function caseOf(ids: Ids, who: "leaving" | "going") {
  return { id: ids[who], caseId: ids[`${who}Case`] };
}
