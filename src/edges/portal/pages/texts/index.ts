import { type PortalLocale, portalLocales } from "../../../../base/accounts/portal-settings.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

export type { Texts } from "./en.ts";

export function textsOf(locale: PortalLocale): Texts {
  return texts[locale];
}

/** The first language of an Accept-Language header that the portal has (RFC 9110 §12.5.4), else the given one. */
export function preferredLocale<Otherwise>(
  header: string | undefined,
  otherwise: Otherwise,
): PortalLocale | Otherwise {
  const wanted = (header ?? "")
    .split(",")
    .map((item) => {
      const [tag = "", quality = "q=1"] = item.trim().split(/;\s*/);
      return { language: tag.split("-")[0]?.toLowerCase(), q: Number(quality.replace(/^q=/, "")) };
    })
    .sort((a, b) => b.q - a.q);
  for (const { language, q } of wanted) {
    const known = portalLocales.find((locale) => locale === language);
    if (known && q > 0) return known;
  }
  return otherwise;
}

/** Each language by its own name. */
export const languageNames: Record<PortalLocale, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

const texts: Record<PortalLocale, Texts> = { en, de, fr, es };
