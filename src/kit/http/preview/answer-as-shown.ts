import { isGuard } from "../../../base/db/guard.ts";
import { OtherDecisionError } from "../../../base/db/wrapped/rehearsal.ts";
import { DomainError } from "../../../base/errors.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import { type Ctx, rehearse } from "../../context.ts";
import type { AnyOperation, HandlerInput } from "../document/operation.ts";
import { statusOf } from "../errors.ts";
import { writeJson } from "../json-text.ts";
import { previewHash } from "./hash.ts";
import { expectedPreview } from "./if-preview.ts";
import { PreviewChangedError } from "./preview-changed.ts";

/**
 * Answers a request by its operation's handler: a dry run by deciding alone, one with If-Preview only if it is still decided as was shown, and
 * any other at once. Throws PREVIEW_CHANGED, and PREVIEW_REQUIRED where the caller may do nothing unseen.
 */
export async function answerAsShown(operation: AnyOperation, input: HandlerInput): Promise<unknown> {
  const { c, ctx } = input;
  const expected = expectedPreview(c, operation);
  if (!ctx || operation.dryRunsByJob) return operation.handler(input);
  if ((input.query as { dry_run?: boolean } | undefined)?.dry_run === true) {
    const shown = await decideAlone(operation, { ...input, ctx });
    if (operation.previews) c.set("preview", shown.hash);
    return shown.answer;
  }
  if (expected !== undefined) return doAsShown(operation, { ...input, ctx }, expected);
  if (operation.previews && ctx.limits?.requires_preview) return refuseUnseen(operation, { ...input, ctx });
  return operation.handler(input);
}

type Asked = HandlerInput & { ctx: Ctx };

async function doAsShown(operation: AnyOperation, input: Asked, expected: string): Promise<unknown> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const { hash, body, ids, ctx } = await decideAlone(operation, input);
    if (hash !== expected) throw new PreviewChangedError(body, hash);
    const rehearsal = ctx.rehearsal && { ...ctx.rehearsal, isDry: false };
    try {
      return await handledBy(operation, input, {
        ...input.ctx,
        ...(rehearsal && { rehearsal }),
        newId: again(input.ctx, ids),
      });
    } catch (error) {
      if (!(error instanceof OtherDecisionError || isGuard(error))) throw error;
    }
  }
  throw new DomainError("VERSION_CONFLICT", "The record was changed by others meanwhile, try again");
}

const mostTries = 4;

/** A record that is not found, and a request that is not valid, are told as they are; a state that forbids it is seen in the preview. */
async function refuseUnseen(operation: AnyOperation, input: Asked): Promise<never> {
  await decideAlone(operation, input).catch((error) => {
    if (!(error instanceof DomainError) || statusOf[error.code] !== 409) throw error;
  });
  throw new DomainError(
    "PREVIEW_REQUIRED",
    "This credential does nothing unseen: ask with dry_run=true first, then send the header Preview of the answer as If-Preview",
  );
}

type Decided = { answer: unknown; body: unknown; hash: string; ids: string[]; ctx: Ctx };

/** Decides on a request, and keeps what it would write and the ids it would make. */
async function decideAlone(operation: AnyOperation, input: Asked): Promise<Decided> {
  const { c, query, body: asked } = input;
  const ids: string[] = [];
  const dry = rehearse(input.ctx);
  const newId = (at?: Instant) => {
    const id = dry.newId(at);
    ids.push(id);
    return id;
  };
  const ctx = { ...dry, newId };
  const answer = await handledBy(operation, input, ctx);
  const body = await bodyOf(answer);
  const path = new URL(c.req.url).pathname;
  const hash = await previewHash({ method: c.req.method, path, query, body: asked }, body, ids);
  return { answer, body, hash, ids, ctx };
}

async function handledBy(operation: AnyOperation, input: Asked, ctx: Ctx): Promise<unknown> {
  const { c } = input;
  c.set("ctx", ctx);
  try {
    return await operation.handler({ ...input, ctx });
  } finally {
    c.set("ctx", input.ctx);
  }
}

async function bodyOf(answer: unknown): Promise<unknown> {
  if (answer instanceof Response) return answer.clone().json();
  return typeof answer === "object" && answer !== null ? JSON.parse(writeJson(answer)) : null;
}

/** The ids that were made before, in order, and new ones after them. */
function again({ newId }: Ctx, ids: string[]): Ctx["newId"] {
  const left = [...ids];
  return (at) => left.shift() ?? newId(at);
}
