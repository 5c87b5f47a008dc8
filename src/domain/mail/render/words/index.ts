import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";
import { de } from "./de.ts";
import { en, type MailWords } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

export type { MailWords } from "./en.ts";

export function mailWordsOf(locale: PortalLocale): MailWords {
  return words[locale];
}

const words: Record<PortalLocale, MailWords> = { en, de, fr, es };
