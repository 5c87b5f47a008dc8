import type { Ctx } from "../../../kit/context.ts";
import type { EventRow } from "../../events/queries.ts";
import type { Profile } from "../../profiles/tables.ts";
import type { MailKind } from "../kinds.ts";
import type { AnyMail } from "../render/facts.ts";
import type { MailSettings } from "../settings.ts";
import { prepareAddressMissing } from "./address-missing.ts";
import { prepareCardExpiring } from "./card-expiring.ts";
import { prepareChanged } from "./changed.ts";
import { prepareConfirmPayment } from "./confirm-payment.ts";
import { prepareLoginLink } from "./login-link.ts";
import { preparePaymentEnded } from "./payment-ended.ts";
import { preparePaymentFailed } from "./payment-failed.ts";
import { preparePriceChange } from "./price-change.ts";
import { prepareReceipt } from "./receipt.ts";
import { prepareShipped } from "./shipped.ts";
import { prepareUpcomingCharge } from "./upcoming-charge.ts";
import { prepareWelcome } from "./welcome.ts";

type Asked = { kind: MailKind; event: EventRow; profile: Profile; settings: Pick<MailSettings, "kinds"> };

/**
 * The facts of the mail that an event becomes, as they are now. Throws SilenceError where there is nothing to say any more, NOT_FOUND
 * where the record is gone.
 */
export async function prepareFacts(ctx: Ctx, { kind, event, profile, settings }: Asked): Promise<AnyMail> {
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
    case "address_missing":
      return { kind, facts: await prepareAddressMissing(ctx, event) };
    case "welcome":
      return { kind, facts: await prepareWelcome(ctx, event) };
    case "payment_ended":
      return { kind, facts: await preparePaymentEnded(ctx, event) };
    case "card_expiring":
      return { kind, facts: await prepareCardExpiring(ctx, event, profile) };
    case "changed":
      return {
        kind,
        facts: await prepareChanged(ctx, event, { tellsOfEnds: settings.kinds.payment_ended.is_enabled }),
      };
    case "price_change":
      return { kind, facts: await preparePriceChange(ctx, event) };
    case "shipped":
      return { kind, facts: await prepareShipped(ctx, event) };
  }
}
