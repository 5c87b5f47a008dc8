import { inDays } from "../../../support/shops.ts";
import { requestStep } from "./steps.ts";
import { firstDeliveryFrom, isBilledOften, isOver, restartOn, setUndo, tomorrow } from "./subscription.ts";

export function pause(reason: string | undefined) {
  return requestStep(
    `pause ${reason}`,
    () => ({ method: "POST", part: "pause", body: reason === undefined ? {} : { reason } }),
    (m) => {
      if (m.status === "PAUSED" && (reason === undefined || reason === m.pauseReason)) return "unchanged";
      if (m.status !== "ACTIVE" && m.status !== "PAUSED") return "refused";
      Object.assign(m, { status: "PAUSED", pauseReason: reason ?? null });
      return "changed";
    },
    ({ inDunning }) => !inDunning,
  );
}

export function resume(days: number | undefined) {
  return requestStep(
    `resume ${days}`,
    () => ({ method: "POST", part: "resume", body: dateIn(days) }),
    (m) => {
      if (m.status === "ACTIVE")
        return days === undefined || m.next === inDays(days) ? "unchanged" : "refused";
      if (m.status !== "PAUSED") return "refused";
      const previous = m.next;
      Object.assign(m, { status: "ACTIVE", pauseReason: null });
      if (days !== undefined) {
        restartOn(m, inDays(days));
        setUndo(m, previous === m.next ? "unspecified" : "refused");
      } else if (!isBilledOften(m) && m.next !== null && m.next < tomorrow) {
        restartOn(m, tomorrow);
        setUndo(m, "refused");
      } else {
        const { index, date } = firstDeliveryFrom(m, tomorrow);
        Object.assign(m, { index, next: date });
        if (previous !== date) setUndo(m, "refused");
      }
      return "changed";
    },
    ({ offGrid }) => !offGrid,
  );
}

export const cancel = requestStep(
  "cancel",
  () => ({ method: "POST", part: "cancel" }),
  (m) => {
    if (m.status === "CANCELLED") return "unchanged";
    if (m.status === "EXPIRED") return "refused";
    Object.assign(m, { status: "CANCELLED", next: null, pauseReason: null });
    setUndo(m, "unspecified");
    return "changed";
  },
  ({ inDunning }) => !inDunning,
);

export function reactivate(days: number | undefined) {
  return requestStep(
    `reactivate ${days}`,
    () => ({ method: "POST", part: "reactivate", body: dateIn(days) }),
    (m) => {
      if (m.status === "ACTIVE")
        return days === undefined || m.next === inDays(days) ? "unchanged" : "refused";
      if (!isOver(m)) return "refused";
      restartOn(m, days === undefined ? firstDeliveryFrom(m, tomorrow).date : inDays(days));
      Object.assign(m, { status: "ACTIVE", cycle: 1 });
      return "changed";
    },
  );
}

/** A body that names a date so many days from today, or none. */
function dateIn(days: number | undefined) {
  return days === undefined ? {} : { next_delivery_date: inDays(days) };
}
