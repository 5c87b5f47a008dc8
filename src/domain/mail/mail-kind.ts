import type { EventType } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import type { EventRow } from "../events/queries.ts";
import type { Profile } from "../profiles/tables.ts";
import type { Example } from "./facts/sample.ts";
import type { EveryMail } from "./render/facts.ts";
import type { DraftLetter } from "./render/letter.ts";
import type { Placeholders } from "./render/placeholders.ts";
import type { View } from "./render/view.ts";

/** All that is particular to a kind of mail, but its words in each language (render/words). */
export type MailKindDefinition<Name extends string, Facts extends EveryMail> = {
  name: Name;
  /** Its sentence in the API's document. */
  description: string;
  /** The types of the events that become such a mail. */
  events: readonly EventType[];
  /** Those of them that do so even if the customer has caused them; all of them unless they are listed. */
  ownEvents?: readonly EventType[];
  /** The names that a template may have in braces, with their values. */
  placeholders: Placeholders<Facts>;
  /** Whether two are better than none where nobody knows if the provider has sent one: a customer waits for it, or the law asks for it. */
  isRepeatable?: true;
  /** Whether it is off until the merchant switches it on. */
  isOffAtFirst?: true;
  /** Whether it signs its reader in: it is shown to nobody else, kept nowhere and not sent again. */
  signsIn?: true;
  /** Whether a store that sends mails itself sends it. */
  isSentByStores?: true;
  /** The address that it goes to, where that is not the address of the event's customer. Throws SilenceError. */
  readRecipient?(ctx: Ctx, event: EventRow): Promise<string>;
  /** The facts as they are now. Throws SilenceError where there is nothing to say any more, NOT_FOUND where the record is gone. */
  prepare(ctx: Ctx, event: EventRow, context: MailContext): Promise<Facts>;
  /** The mail before it is written as HTML and as text. */
  letter(view: View, facts: Facts): DraftLetter;
  /** The facts of an example, for previews and tests of the settings. */
  sample(example: Example, ctx: Ctx): Facts;
};

/** The customer, and whether mails of another kind are sent. */
type MailContext = { profile: Pick<Profile, "first_name">; isEnabled: (kind: { name: string }) => boolean };
