import { samples, shopLook } from "../../scripts/docs/mail-samples.ts";
import type { AnyMail } from "../../src/domain/mail/kinds.ts";
import type { Look } from "../../src/domain/mail/render/look.ts";
import { renderMail } from "../../src/domain/mail/render/mail.ts";

/** The shop's look, in English unless told. */
export function lookOf(more: Partial<Look> = {}): Look {
  return { ...shopLook, locale: "en", ...more };
}

export function render({ kind, facts }: AnyMail, look: Partial<Look> = {}) {
  return renderMail(kind, facts, lookOf(look));
}

export function factsFor<Kind extends AnyMail["kind"]>(kind: Kind) {
  return samples[kind]!.facts as Extract<AnyMail, { kind: Kind }>["facts"];
}

/** The addresses that a page links to. */
export function mainLinksOf(html: string): string[] {
  return linksOf(html).filter((link) => !/\/(leave|withdraw)$/.test(link));
}

/** The addresses of all links, those at the foot of every mail included. */
export function linksOf(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => unescapeHtml(href));
}

/** The text of a page's body, as somebody reads it. */
export function visibleText(html: string): string {
  const body = html.slice(html.indexOf("<main>"));
  return unescapeHtml(body.replaceAll(/<[^>]*>/g, " "));
}

function unescapeHtml(text: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? "");
}

export function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}€]+/gu) ?? [];
}

/** The elements and attributes of a page, without texts and values. */
export function skeletonOf(html: string): string {
  return html.replaceAll(/"[^"]*"/g, '""').replaceAll(/>[^<]*</g, "><");
}
