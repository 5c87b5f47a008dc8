import { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { findEvent } from "../../events/queries.ts";
import { composeMail } from "../compose.ts";
import { SilenceError, WaitError } from "../facts/silence.ts";
import { kindOf } from "../kinds.ts";
import { findContent, findMailEndpoint, getMail } from "../queries.ts";
import { mailSettingsOf } from "../settings.ts";

type Content = { subject: string; html: string; text: string; is_rendered_anew: boolean };

/**
 * A mail in words: as it was sent where it was kept, else as it would be sent now. Throws INVALID_STATE for a mail that signs somebody in,
 * and where there is nothing to say any more.
 */
export async function readContent(ctx: Ctx, id: string): Promise<Content> {
  const mail = await getMail(ctx, id);
  if (kindOf(mail.event_type)?.signsIn)
    throw new DomainError("INVALID_STATE", "A link that signs in is shown to nobody but its customer");
  const kept = await findContent(ctx, id);
  if (kept) return { subject: mail.subject ?? "", ...kept, is_rendered_anew: false };
  const settings = mailSettingsOf(ctx.account, await findMailEndpoint(ctx));
  try {
    const { to: _, ...words } = await composeMail(ctx, {
      mail,
      event: await findEvent(ctx, mail.id),
      settings,
    });
    return { ...words, is_rendered_anew: true };
  } catch (error) {
    if (error instanceof WaitError)
      throw new DomainError("INVALID_STATE", "The mail waits for further changes, which it would tell of");
    if (!(error instanceof SilenceError)) throw error;
    throw new DomainError("INVALID_STATE", `The mail cannot be rendered any more: ${error.reason}`);
  }
}
