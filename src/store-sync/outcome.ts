/**
 * What came of working on a delivery: `later` where it cannot be done yet, `more` where a part of it is done and the rest
 * waits for the next message.
 */
export type Outcome = "done" | "later" | "more";
