import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

export type { Texts } from "./en.ts";

export function textsOf(locale: PortalLocale): Texts {
  return texts[locale];
}

/** Each language by its own name. */
export const languageNames: Record<PortalLocale, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

const texts: Record<PortalLocale, Texts> = { en, de, fr, es };
