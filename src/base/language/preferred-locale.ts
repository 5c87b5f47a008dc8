import { type PortalLocale, portalLocales } from "../accounts/portal-settings.ts";

/** The first language of an Accept-Language header that there are words in (RFC 9110 §12.5.4), else the given one. */
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
