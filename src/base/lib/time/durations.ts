/** Lengths of time in milliseconds. A day here has 24 hours; a day of the calendar may be longer or shorter (dates.ts). */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
