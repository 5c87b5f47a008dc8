import { refundBugs } from "./refunds/bugs.ts";
import type { SeededBug } from "./seeded-bug.ts";

/** Bugs that are seeded on purpose, to show that the simulator finds each of them. */
export const seededBugs: SeededBug[] = [...refundBugs];
