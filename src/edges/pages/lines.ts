import { html } from "hono/html";
import type { PortalLocale } from "../../base/accounts/portal-settings.ts";
import { type Address, addressLines } from "../../base/language/names.ts";

/** A postal address as an envelope has it. Translators of browsers leave it as it is. */
export function addressBlock(address: Address | null, locale?: PortalLocale): ReturnType<typeof html> {
  return html`<span class="address" translate="no">${withBreaks(addressLines(address, locale).join("\n"))}</span>`;
}

/** A text line by line. */
export function withBreaks(text: string): ReturnType<typeof html> {
  return html`${text.split("\n").map((line, index) => html`${index > 0 ? html`<br>` : ""}${line}`)}`;
}

/** An e-mail address, which a narrow screen breaks behind its @ and not within a word. */
export function breakable(email: string): ReturnType<typeof html> {
  const at = email.lastIndexOf("@") + 1;
  return html`${email.slice(0, at)}<wbr>${email.slice(at)}`;
}
