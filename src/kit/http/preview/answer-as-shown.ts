import { isGuard } from "../../../base/db/guard.ts";
import { OtherDecisionError, type Rehearsal } from "../../../base/db/wrapped/rehearsal.ts";
import { DomainError } from "../../../base/errors.ts";
import { asRehearsed, type Ctx, rehearse } from "../../context.ts";
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
    const { hash, body, rehearsal } = await decideAlone(operation, input);
    if (hash !== expected) throw new PreviewChangedError(body, hash);
    try {
      return await handledBy(operation, input, asRehearsed(input.ctx, rehearsal));
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
    "This credential does only what it has previewed: ask with dry_run=true first, then send the header Preview of the answer as If-Preview",
  );
}

type Decided = { answer: unknown; body: unknown; hash: string; rehearsal: Rehearsal };

/** Decides on a request, and keeps what it would write. */
async function decideAlone(operation: AnyOperation, input: Asked): Promise<Decided> {
  const { c, query, body: asked } = input;
  const { rehearsal, ...ctx } = rehearse(input.ctx);
  const answer = await handledBy(operation, input, { ...ctx, rehearsal });
  const body = await bodyOf(answer);
  const path = new URL(c.req.url).pathname;
  const hash = await previewHash({ method: c.req.method, path, query, body: asked }, body, rehearsal.ids);
  return { answer, body, hash, rehearsal };
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
