import type { Ctx } from "../../../kit/context.ts";
import type { EventRow } from "../../events/queries.ts";
import type { Profile } from "../../profiles/tables.ts";
import type { MailKind } from "../kinds.ts";
import type { AnyMail } from "../render/facts.ts";
import { prepareConfirmPayment } from "./confirm-payment.ts";
import { prepareLoginLink } from "./login-link.ts";
import { preparePaymentFailed } from "./payment-failed.ts";
import { prepareReceipt } from "./receipt.ts";
import { SilenceError } from "./silence.ts";
import { prepareUpcomingCharge } from "./upcoming-charge.ts";

/**
 * The facts of the mail that an event becomes, as they are now. Throws SilenceError where there is nothing to say any more, NOT_FOUND
 * where the record is gone.
 */
export async function prepareFacts(
  ctx: Ctx,
  { kind, event, profile }: { kind: MailKind; event: EventRow; profile: Profile },
): Promise<AnyMail> {
  switch (kind) {
    case "login_link":
      return { kind, facts: await prepareLoginLink(ctx, event, profile) };
    case "upcoming_charge":
      return { kind, facts: await prepareUpcomingCharge(ctx, event) };
    case "receipt":
      return { kind, facts: await prepareReceipt(ctx, event) };
    case "payment_failed":
      return { kind, facts: await preparePaymentFailed(ctx, event) };
    case "confirm_payment":
      return { kind, facts: await prepareConfirmPayment(ctx, event) };
    default:
      throw new SilenceError("kind_disabled");
  }
}
