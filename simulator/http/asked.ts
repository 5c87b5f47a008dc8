import { perAccount } from "../kernel/per-account.ts";
import type { Task } from "../kernel/task.ts";
import type { World, Write } from "../kernel/world.ts";
import type { HttpRequest } from "./requests.ts";

/** A request that a client makes, and makes again with the same key until it hears an answer. */
export type Asked = HttpRequest & {
  name: string;
  key: string;
  /** Whether it is sent with the account's key, with one that is guessed, or with that of another account. */
  credential: "own" | "guessed" | "another's";
  at: number;
  /** Whether nobody has asked with the key before, more than a day ago. */
  isFirst: boolean;
  /** The client has an answer, or asks no more. */
  isOver: boolean;
  underWay: number;
  /** The commits by which it has changed something, and the attempts that they began. */
  effects: { commit: number; attempt: string | undefined }[];
  /** The answers that were made, heard or not: the status and the body. */
  answers: string[];
};

/** The requests that were made to an account over HTTP. */
export const askedOf = perAccount((): Asked[] => []);

/** The requests that tasks answer. */
const answered = new WeakMap<Task, Asked>();

export function noteAsked(task: Task, asked: Asked): void {
  answered.set(task, asked);
}

/** The request that a task answers, where that came over HTTP. */
export function askedBy(task: Task): Asked | undefined {
  return answered.get(task);
}

/** Notes that a commit has changed something that the history tells. */
export function noteEffect({ commits: commit }: World, { task, statements, hasChanged }: Write): void {
  const asked = askedBy(task);
  if (!asked || !hasChanged) return;
  if (!statements.some(({ sql }) => /^insert into "?new_entries/i.test(sql))) return;
  const begun = statements.find(({ sql }) => sql.startsWith('insert into "billing_attempts"'));
  asked.effects.push({ commit, attempt: begun && String(begun.params[0]) });
}
