/** The most days that an insight is about. */
export const daysMax = 400;
