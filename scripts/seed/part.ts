import type { Statement } from "../../src/base/db/port.ts";

/** A part of the demo store, as the statements that make it; `now` is the instant of the seed. */
export type Part = (now: Date) => Statement[] | Promise<Statement[]>;
