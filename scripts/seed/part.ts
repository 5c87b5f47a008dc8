import type { Statement } from "../../src/base/db/port.ts";

/** What a part of the demo store is made of; `now` is the instant of the seed. */
export type Part = (now: Date) => Statement[] | Promise<Statement[]>;
