import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";
import { countryCodes } from "../../../../base/lib/places/countries.ts";

type Choice = [code: string, name: string];

/** The countries by their names in a language, in its order. */
export function countryChoices(locale: PortalLocale): readonly Choice[] {
  const known = choices.get(locale);
  if (known) return known;
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const made = countryCodes
    .map((code): Choice => [code, names.of(code) ?? code])
    .sort(([, a], [, b]) => a.localeCompare(b, locale));
  choices.set(locale, made);
  return made;
}

/** Made once for each language, because it takes some milliseconds. */
const choices = new Map<PortalLocale, readonly Choice[]>();
