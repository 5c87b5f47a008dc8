import type { PortalLocale } from "../../accounts/portal-settings.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

export function wordsOf(locale: PortalLocale): Words {
  return words[locale];
}

const words: Record<PortalLocale, Words> = { en, de, fr, es };
