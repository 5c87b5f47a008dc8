import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import type { Reason } from "./tables.ts";

/** A reason's labels in other languages than that of its `label`; a language that has none is absent. */
type ReasonLabels = { de?: string | undefined; fr?: string | undefined; es?: string | undefined };

/** The label in a customer's language, or else the one for everybody. */
export function labelIn(
  locale: PortalLocale,
  { label, labels }: { label: string; labels?: ReasonLabels | undefined },
): string {
  return (locale === "en" ? undefined : labels?.[locale]) ?? label;
}

/** The labels that a reason has in other languages; undefined where it has none. JSON has no member that is undefined. */
export function labelsOf({ label_de, label_fr, label_es }: Labelled): ReasonLabels | undefined {
  if (label_de === null && label_fr === null && label_es === null) return undefined;
  return { de: label_de ?? undefined, fr: label_fr ?? undefined, es: label_es ?? undefined };
}

/** The columns that a request's labels set. Null clears: one language, or all of them. */
export function labelColumns(labels: RequestedLabels | undefined): Partial<Labelled> {
  if (labels === undefined) return {};
  if (labels === null) return { label_de: null, label_fr: null, label_es: null };
  return {
    ...(labels.de === undefined ? {} : { label_de: labels.de }),
    ...(labels.fr === undefined ? {} : { label_fr: labels.fr }),
    ...(labels.es === undefined ? {} : { label_es: labels.es }),
  };
}

type Labelled = Pick<Reason, "label_de" | "label_fr" | "label_es">;
type RequestedLabels = { [Locale in keyof ReasonLabels]?: string | null | undefined } | null;
