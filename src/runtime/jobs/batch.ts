import { type Job, subjectOf } from "../../base/job.ts";
import { type Limits, mostStatements } from "./budget.ts";

/** A message of a batch, with the job that it asks for. */
export type Delivered = { job: Job; ack: () => void; retry: () => void };

/** The surroundings that work on a batch needs. */
export type BatchPorts<Message extends Delivered> = {
  limits: Limits;
  /** Milliseconds since the invocation began. */
  elapsed: () => number;
  /** Does a job, never throws; says whether it is done, and how many statements it has run. */
  work: (message: Message) => Promise<{ isDone: boolean; statements: number }>;
  /** Puts jobs back into the queue as new messages; false if the queue has not taken them. */
  sendAgain: (jobs: Job[]) => Promise<boolean>;
};

/**
 * Works on the messages of a batch side by side, those about one record in their order, within what one invocation may use. A
 * message is acknowledged once its job is done, and retried if it fails. A message that does not fit is sent again before it is
 * acknowledged, so nothing is lost, and no delivery counts as failed.
 */
export async function workBatch<Message extends Delivered>(
  batch: Message[],
  ports: BatchPorts<Message>,
): Promise<void> {
  const left = await workWithinLimits(batch, ports);
  if (left.length === 0) return;
  const isSent = await ports.sendAgain(left.map(({ job }) => job));
  for (const message of left) settle(message, isSent);
}

/** Begins jobs while they fit; each that ends makes room for others. Returns the messages that were not begun. */
function workWithinLimits<Message extends Delivered>(
  batch: Message[],
  { limits, elapsed, work }: BatchPorts<Message>,
): Promise<Message[]> {
  const waiting = [...batch];
  const subjects = new Set<string>();
  let [active, begun, reserved, used] = [0, 0, 0, 0];

  const fits = ({ job }: Delivered): boolean =>
    begun === 0 ||
    (used + reserved + mostStatements[job.type] <= limits.statements && elapsed() < limits.beginMs);

  /** The first that fits and is about nothing that is worked on, or that an earlier one waits for. */
  const takeNext = (): Message | undefined => {
    const taken = new Set(subjects);
    const next = waiting.findIndex((message) => {
      const subject = subjectOf(message.job);
      if (!taken.has(subject) && fits(message)) return true;
      taken.add(subject);
      return false;
    });
    return next < 0 ? undefined : waiting.splice(next, 1)[0];
  };

  return new Promise((resolve) => {
    const begin = async (message: Message): Promise<void> => {
      const most = mostStatements[message.job.type];
      const subject = subjectOf(message.job);
      subjects.add(subject);
      [active, begun, reserved] = [active + 1, begun + 1, reserved + most];
      const { isDone, statements } = await work(message);
      settle(message, isDone);
      subjects.delete(subject);
      [active, reserved, used] = [active - 1, reserved - most, used + statements];
      beginNext();
    };
    const beginNext = (): void => {
      while (active < limits.atOnce) {
        const next = takeNext();
        if (!next) break;
        void begin(next);
      }
      if (active === 0) resolve(waiting);
    };
    beginNext();
  });
}

function settle({ ack, retry }: Delivered, isDone: boolean): void {
  if (isDone) ack();
  else retry();
}
