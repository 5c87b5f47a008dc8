import { newId } from "../../../src/base/lib/ids.ts";
import { sellingPlans } from "../../../src/domain/selling-plans/tables.ts";
import { someOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

export const planPart: MakePart = ({ account }, mark, { plan, sparePlan }) => ({
  writes: [plan, sparePlan].map((id) =>
    someOf(sellingPlans, {
      id,
      account_id: account.id,
      name: mark,
      billing_interval: "MONTH",
      delivery_interval: "MONTH",
      is_active: 1,
      ...stamps,
    }),
  ),
  paths: { "/api/subscriptions/selling-plans/{id}": { id: sparePlan } },
  bodies: {
    createSellingPlan: {
      id: `plan-${newId()}`,
      name: "Monthly",
      billing_interval: "MONTH",
      billing_interval_count: 1,
    },
  },
});
