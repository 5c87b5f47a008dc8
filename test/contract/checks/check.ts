import type { Answer } from "../../support/client.ts";
import { type Operation, operations, titleOf } from "../../support/document.ts";
import type { Call, World } from "../../support/world.ts";

/** The world that the checks of one operation share. */
export type Walk = {
  /** The operation's own world, in which earlier checks may have used up a record. */
  world: () => World;
  /** A world in which the operation has done nothing yet, which later checks then share. */
  renew: () => Promise<World>;
  /** A request that succeeds: in a new world, which later checks then share, if its records were used up. */
  callToSucceed: (changed?: (of: World) => Call) => Promise<Answer<Schemaless>>;
  /** The answer of the operation's first request, which asked for nothing unusual. Checks that only look at it share it. */
  succeeded: () => Promise<Answer<Schemaless>>;
  /** The world of another tenant, whose texts have the mark. */
  other: World;
  mark: string;
  /** The rows of the other tenant, as they were at first. */
  rowsOfOther: string;
  /** A world for requests that need no records of their own, so that its keys and tokens are made once. */
  shared: World;
};

/** One promise of the API about each operation that it applies to; it throws where the operation does not keep it. */
export type Check<Its = Walk> = {
  appliesTo?: (operation: Operation) => boolean;
  run: (operation: Operation, walk: Its) => Promise<void> | void;
};

/** Checks by the promise that they hold an operation to. */
export type Checks = Record<string, Check>;

/**
 * Some of the values that one piece of code refuses or takes for all operations alike: operation after operation has the next ones, so that
 * all are sent to operations of each kind.
 */
export function turnsOf<T>(operation: Operation, values: T[], count = 1): T[] {
  const first = operations.indexOf(operation) * count;
  return Array.from({ length: count }, (_, nth) => values[(first + nth) % values.length]!);
}

/** Holds an operation to each promise. Throws one error with every promise that is broken, and how. */
export async function runChecks<Its>(
  operation: Operation,
  walk: Its,
  checks: Record<string, Check<Its>>,
): Promise<void> {
  const broken: Error[] = [];
  for (const [promise, { appliesTo = () => true, run }] of Object.entries(checks)) {
    if (!appliesTo(operation)) continue;
    try {
      await run(operation, walk);
    } catch (error) {
      broken.push(new Error(`${titleOf(operation)}: ${promise}\n${textOf(error)}`, { cause: error }));
    }
  }
  if (broken.length === 0) return;
  throw new Error(broken.map(({ message }) => message).join("\n\n"), { cause: broken[0]?.cause });
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// biome-ignore lint/suspicious/noExplicitAny: the document has checked the body already
type Schemaless = any;
