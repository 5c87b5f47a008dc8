import type { z } from "@hono/zod-openapi";
import { retryOnConflict } from "../../../base/db/retry-on-conflict.ts";
import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { change } from "../../../kit/journal/write.ts";
import { declarationEntry } from "../entries.ts";
import { getDeclaration } from "../queries.ts";
import type { DeclarationUpdate } from "../schemas.ts";
import type { Declaration } from "../tables.ts";

type Answer = { id: string; request: z.output<typeof DeclarationUpdate> };

const actions = { CARRIED_OUT: "declaration_carried_out", ANSWERED: "declaration_answered" } as const;

/** Records what staff have done about a declaration. Its job does nothing more. Throws INVALID_STATE unless it is TO_DO. */
export function answerDeclaration(ctx: Ctx, { id, request }: Answer): Promise<Declaration> {
  return retryOnConflict(async () => {
    const declaration = await getDeclaration(ctx, id);
    if (declaration.status !== "TO_DO")
      throw new DomainError("INVALID_STATE", `Cannot answer: the declaration is ${declaration.status}`);
    const { status, note = null } = request;
    const after = { status, note, next_action_at: null };
    const entry = { ...declarationEntry(actions[status], declaration), changes: {} };
    await change(ctx, { ...entry, after });
    return { ...declaration, ...after };
  });
}
