import type { Section } from "./section.ts";
import { accountSection } from "./sections/account.ts";
import { authenticationSection } from "./sections/authentication.ts";
import { idempotencySection } from "./sections/idempotency.ts";
import { methodsSection } from "./sections/methods.ts";
import { paymentsSection } from "./sections/payments.ts";
import { refundsSection } from "./sections/refunds.ts";
import { webhooksSection } from "./sections/webhooks.ts";

/** Every section, in the order in which they run. */
export const sections: Section[] = [
  accountSection,
  idempotencySection,
  paymentsSection,
  authenticationSection,
  methodsSection,
  refundsSection,
  webhooksSection,
];
