import { portalUrlOf } from "../../base/accounts/portal-address.ts";
import { credentialsKeyOf } from "../../base/env.ts";
import { isSigned, sign } from "../../base/lib/secrets/signed.ts";
import type { Ctx } from "../../kit/context.ts";

/** The address of the page on which the customer says that it was somebody else. Only the mail to the customer has it. */
export async function notMeUrl(ctx: Ctx, id: string): Promise<string> {
  const signature = await sign(credentialsKeyOf(ctx.env), purposeOf(ctx), id);
  return `${portalUrlOf(ctx)}/leave/not-me/${id}.${signature}`;
}

/** The declaration that a token of such an address names; undefined for any other text. */
export async function declarationOfToken(ctx: Ctx, token: string): Promise<string | undefined> {
  const [id = "", signature = ""] = token.split(".");
  const isOurs = await isSigned(credentialsKeyOf(ctx.env), purposeOf(ctx), { text: id, signature });
  return isOurs ? id : undefined;
}

function purposeOf({ account }: Ctx): string {
  return `declarations of ${account.id} taken back`;
}
