import { closedDays, deliveryDays, deliverySlots } from "../../../src/domain/delivery/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, stamps } from "./part.ts";

export const deliveryPart: MakePart = ({ account }, mark, { day, slot, closedDay }) => ({
  writes: [
    insertOf(deliveryDays, { id: day, account_id: account.id, day_of_week: 4, is_active: 1, ...stamps }),
    insertOf(deliverySlots, {
      id: slot,
      account_id: account.id,
      delivery_day_id: day,
      label: mark,
      start_time: "09:00",
      end_time: "12:00",
      is_all_day: 0,
      position: 0,
      is_active: 1,
      cutoff_days: null,
      cutoff_time: null,
      max_deliveries_per_day: null,
      ...stamps,
    }),
    insertOf(closedDays, {
      id: closedDay,
      account_id: account.id,
      from_date: "2090-12-24",
      to_date: "2090-12-26",
      applies_to: '["delivery","production","billing"]',
      slot_ids: JSON.stringify([slot]),
      rule: "later",
      label: mark,
      ...stamps,
    }),
  ],
  paths: {
    "/api/subscriptions/delivery-days/{id}": { id: day },
    "/api/subscriptions/delivery-slots/{id}": { id: slot },
    "/api/subscriptions/closed-days/{id}": { id: closedDay },
  },
  bodies: {
    updateClosedDay: { label: "Feast" },
    createDeliverySlot: {
      delivery_day_id: day,
      label: "Evening",
      start_time: "17:00",
      end_time: "21:00",
      cutoff_days: 2,
      cutoff_time: "18:00",
      max_deliveries_per_day: 40,
    },
  },
});
