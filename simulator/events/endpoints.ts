import { perAccount } from "../kernel/per-account.ts";
import type { Task } from "../kernel/task.ts";

/** The answer of an endpoint to a request. A flood is a success whose body never ends. */
export type Answer =
  | "accepts"
  | "floods"
  | "fails"
  | "is gone"
  | "is busy"
  | "hangs"
  | "resets"
  | "redirects";
export type Answers = readonly (readonly [Answer, number])[];

/** Where the account's events are sent. */
export const endpointsOf = perAccount((): SimulatedEndpoint[] => []);

/** A request that has arrived at an endpoint. */
export type Try = {
  at: number;
  answer: Answer;
  /** The pause that the endpoint has asked for by Retry-After. */
  retryAfterMs: number | undefined;
  /** Whoever has sent it. */
  task: Task;
  faultRate: number;
  restores: number;
};

/** A person has asked for an event, or for all that were not accepted, to be sent again. */
export type Again = {
  at: number;
  /** How many requests with the event had arrived by then. */
  triesBefore: number;
  eventId: string | undefined;
  isDone: boolean;
  /** Faults had stopped by then. */
  isUndisturbed: boolean;
  restores: number;
};

/** A receiver of events, outside of the database: no restore rewinds what it has accepted. */
export type SimulatedEndpoint = {
  id: string;
  url: string;
  types: readonly string[];
  answers: Answers;
  /** Reads the data of an event that arrives, whatever it answers. */
  reads?: (data: { object?: unknown }) => void;
  /** It never recovers, also when faults have stopped. */
  isLost: boolean;
  /** The last event before it was made. */
  after: number;
  madeAt: number;
  /** The ids of the events that it has accepted, whether or not its answer arrived. */
  accepted: Set<string>;
  /** The requests that have arrived, by their event. */
  tries: Map<string, Try[]>;
  /** The events that people have asked for again. */
  again: Again[];
  hasSaidGone: boolean;
  firstFailureAt: number | undefined;
  /** Since when a person has had the events recovered that it missed while it was disabled. */
  recoveredSince: number | undefined;
};

/** Whether an endpoint asks for a type; stated apart from the code. */
export function asksFor({ types }: Pick<SimulatedEndpoint, "types">, type: string): boolean {
  return types.some((each) => each === "*" || each === type || each === `${type.split(".")[0]}.*`);
}
