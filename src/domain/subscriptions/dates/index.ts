/** Every date of a subscription is worked out here, from its row, its calendar and a day: only this file is imported from outside of the folder. */
export { anchorFrom } from "./anchor.ts";
export {
  calculateDates,
  type DeliveryRhythm,
  deliveryOf,
  firstWeekday,
  nthDelivery,
  type Schedule,
} from "./cadence.ts";
export { type Calendar, calendarOf } from "./calendar.ts";
export {
  earliestDelivery,
  isOpenOn,
  packingDate,
  requireDeliverable,
  requireOpenDay,
} from "./earliest-delivery.ts";
export { datesOfContract } from "./moved-in/contract-dates.ts";
export { scheduleFrom } from "./moved-in/schedule-from.ts";
export { datesAfterCycle, deliveryFrom, nextAfter } from "./next-after.ts";
export { deliveriesOwed, type NextDates, scheduleOf } from "./next-dates.ts";
export { datesBySchedule, datesToFollow, moveToOpenDays } from "./open-days/open-dates.ts";
export { creditLateCharge, dropOwed, settleOwedOnCancel } from "./prepaid.ts";
export { reanchorSchedule } from "./reanchor.ts";
export {
  chargeDateOf,
  chargedTomorrow,
  datesAfterPause,
  datesAfterReactivation,
  datesOfScheduleFromTomorrow,
  restartDateOf,
} from "./restarting.ts";
export {
  continueSchedule,
  datesInSlot,
  deliveriesPerBilling,
  isWithinCalendar,
  startSchedule,
} from "./schedule.ts";
export { scheduledBillings } from "./scheduled-billings.ts";
export { dayOfSingleMove, followingDelivery, moveNextAlone, ownDay } from "./single-move.ts";
export { datesAfterSkipping, datesBeforeSkip, datesWeeksLater } from "./skipping.ts";
