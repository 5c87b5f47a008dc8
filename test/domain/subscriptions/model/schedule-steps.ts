import { addDays } from "../../../../src/base/lib/time/calendar.ts";
import { inDays } from "../../../support/shops.ts";
import { requestStep } from "./steps.ts";
import { deliveriesAfter, deliveryAt, isOver, restartOn, setUndo, today, type Unit } from "./subscription.ts";

export function skip(weeks: number) {
  return requestStep(
    `skip ${weeks}`,
    () => ({ method: "POST", part: "skip", body: { skip_weeks: weeks } }),
    (m) => {
      if (m.status !== "ACTIVE" || m.next === null) return "refused";
      const { anchor, anchorDay, index, next: delivery } = m;
      m.skips.push({ anchor, anchorDay, index, delivery, by: { weeks }, undo: "allowed" });
      Object.assign(m, { anchor: addDays(anchor, weeks * 7), anchorDay: null });
      m.next = addDays(m.next, weeks * 7);
      m.offGrid = m.next !== deliveryAt(m, m.index);
      return "changed";
    },
  );
}

export function skipDeliveries(count: number) {
  return requestStep(
    `skip ${count} deliveries`,
    () => ({ method: "POST", part: "skip-deliveries", body: { count } }),
    (m) => {
      if (m.status !== "ACTIVE" || m.next === null) return "refused";
      const { anchor, anchorDay, index, next: delivery } = m;
      m.skips.push({ anchor, anchorDay, index, delivery, by: { deliveries: count }, undo: "allowed" });
      const due = [delivery, today].toSorted()[1]!;
      const then = deliveriesAfter(m, due, count).at(-1)!;
      Object.assign(m, { index: then.index, next: then.date, offGrid: false });
      return "changed";
    },
  );
}

export const unskip = requestStep(
  "unskip",
  () => ({ method: "POST", part: "unskip" }),
  (m) => {
    const last = m.skips.at(-1);
    if (m.status !== "ACTIVE" || last?.undo !== "allowed" || last.delivery < today) return "refused";
    m.skips.pop();
    const { anchor, anchorDay, index, delivery: next } = last;
    Object.assign(m, { anchor, anchorDay, index, next });
    m.offGrid = m.next !== deliveryAt(m, m.index);
    return "changed";
  },
  ({ skips }) => skips.at(-1)?.undo !== "unspecified",
);

export function changeFrequency(unit: Unit, count: number) {
  return requestStep(
    `frequency ${unit} ${count}`,
    () => ({
      method: "PUT",
      part: "frequency",
      body: { interval: unit.toLowerCase(), interval_count: count },
    }),
    (m) => {
      if (isOver(m) || m.next === null) return "refused";
      if (m.unit === unit && m.count === count) return "unchanged";
      restartOn(m, m.next, unit);
      Object.assign(m, { unit, count });
      setUndo(m, "unspecified");
      return "changed";
    },
  );
}

export function reschedule(days: number) {
  return requestStep(
    `schedule ${days}`,
    () => ({ method: "PUT", part: "schedule", body: { next_delivery_date: inDays(days) } }),
    (m) => {
      if (isOver(m)) return "refused";
      if (m.next === inDays(days)) return "unchanged";
      restartOn(m, inDays(days));
      setUndo(m, "unspecified");
      return "changed";
    },
  );
}

export function changeInstructions(text: string) {
  return requestStep(
    `instructions ${text}`,
    () => ({ method: "PUT", part: "delivery-instructions", body: { delivery_instructions: text } }),
    (m) => {
      if (isOver(m)) return "refused";
      if (m.instructions === text) return "unchanged";
      m.instructions = text;
      return "changed";
    },
  );
}
