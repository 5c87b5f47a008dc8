const dayMs = 24 * 60 * 60 * 1000;

/** The day from which the document that is deployed counts the days of its examples. No other text has one of these years. */
export const documentDay = new Date("2222-01-01");

/** The text of the document with the examples' days counted from the day of `now`. */
export function countDaysFrom(now: Date, text: string): string {
  const days = Math.floor((now.getTime() - documentDay.getTime()) / dayMs);
  return text.replaceAll(/\b222[12]-\d\d-\d\d(?=T)/g, (day) =>
    new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10),
  );
}
