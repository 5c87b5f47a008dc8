/** Every date of a subscription is worked out here, from its row, its calendar and a day: only this file is imported from outside of the folder. */
export { anchorFrom } from "./anchor.ts";
export {
  calculateDates,
  calculatePlannedDates,
  type DeliveryRhythm,
  dayOfKind,
  deliveryOf,
  nthDelivery,
  type Schedule,
  seekIndex,
} from "./cadence.ts";
export { type Calendar, calendarOf } from "./calendar.ts";
export {
  earliestDelivery,
  isOpenOn,
  packingDate,
  requireDeliverable,
  requireOpenDay,
} from "./earliest-delivery.ts";
export { deliveryFrom, nextAfter } from "./next-after.ts";
export { deliveriesOwed, type NextDates, nextDatesOf, scheduleOf, unmoved } from "./next-dates.ts";
export { datesBySchedule, datesToFollow, moveToOpenDays } from "./open-dates.ts";
export { creditLateCharge, settleOwedOnCancel } from "./prepaid.ts";
export { reanchorSchedule } from "./reanchor.ts";
export { chargeDateOf, datesAfterPause, datesAfterReactivation, restartDateOf } from "./restarting.ts";
export {
  continueSchedule,
  datesInSlot,
  deliveriesPerBilling,
  isWithinCalendar,
  startSchedule,
} from "./schedule.ts";
export { scheduledBillings } from "./scheduled-billings.ts";
export { dayOfSingleMove, followingDelivery, moveNextAlone, ownDay } from "./single-move.ts";
export { datesAfterSkipping, datesWeeksLater } from "./skipping.ts";
