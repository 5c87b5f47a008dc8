import { isMakerLiving } from "../../base/accounts/key-life.ts";
import type { Ctx } from "../../kit/context.ts";
import { change } from "../../kit/journal/write.ts";
import { paused } from "./statuses.ts";
import { subjectOfJob } from "./subject.ts";
import type { MerchantJob } from "./tables.ts";

/**
 * Pauses a job whose key was revoked or is over, so that nothing goes on in the name of a key that may have leaked; what is done stays, and
 * another key resumes the job. Says whether it is so.
 */
export async function pauseWithoutKey(ctx: Ctx, job: MerchantJob): Promise<boolean> {
  if (await isMakerLiving(ctx, { keyId: job.made_by_key, now: ctx.realNow })) return false;
  const metadata = { kind: job.kind, error };
  const after = { ...paused(job), error };
  const changes = { status: { from: job.status, to: after.status } };
  await change(ctx, { action: "job_paused", subject: subjectOfJob(job), metadata, changes, after });
  return true;
}

const error =
  "The API key that the job was started with was revoked or has expired; resume it with another key";
