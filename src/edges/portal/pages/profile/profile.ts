import { html } from "hono/html";
import { portalLocales } from "../../../../base/accounts/portal-settings.ts";
import { addressOf } from "../../../../base/language/names.ts";
import { chooseLanguage } from "../../../../domain/sessions/language.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { type Fields, readFields } from "../../../pages/fields.ts";
import { addressBlock, breakable } from "../../../pages/lines.ts";
import { addressFields } from "../actions.ts";
import { type Faults, faultsAlert, marksOf, titleWith } from "../faults.ts";
import { addressInputs, type Choice, radios } from "../inputs.ts";
import { layout } from "../layout.ts";
import { languageNames } from "../texts/index.ts";
import type { AskOperations, SignedIn } from "../visit.ts";

/** The forms of the page, each with its fields. */
export const profileForms = {
  details: ["first_name", "last_name", "phone_number", "locale"],
  address: addressFields,
} as const satisfies Record<string, readonly string[]>;

/** The values that one of the forms has sent before, the faults in them, and why they are shown. */
type Sent = { form: keyof typeof profileForms; fields: Fields; faults?: Faults; alert?: string };
type State = { isSaved?: boolean; sent?: Sent | undefined };

/** The customer's name, phone number, language and addresses. */
export async function profilePage(
  visit: SignedIn,
  ask: AskOperations,
  { isSaved, sent }: State,
): Promise<Html> {
  const { texts, base } = visit;
  const [{ data: profile }, { data: addresses }] = await ask(
    visit,
    { id: "getOwnProfile" },
    { id: "listOwnAddresses", query: { limit: "100" } },
  );
  const sentTo = (form: keyof typeof profileForms) => (sent?.form === form ? sent : undefined);
  const [details, address] = [sentTo("details"), sentTo("address")];
  const input = (
    name: Exclude<(typeof profileForms.details)[number], "locale">,
    label: string,
    autocomplete: string,
  ) =>
    html`<label>${label} <input name="${name}" value="${(details ? details.fields : profile)[name] ?? ""}"
      autocomplete="${autocomplete}" maxlength="255"${marksOf(details?.faults, name)}></label>`;
  const content = html`<h1>${texts.details}</h1>
    ${isSaved ? html`<div class="notice" role="status"><p>${texts.saved}</p></div>` : ""}${faultsAlert(visit, sent?.faults)}${renderAlert(sent?.alert)}
    <form class="card" method="post" action="${base}/profile">
      <div class="grid">${input("first_name", texts.firstName, "given-name")}${input("last_name", texts.lastName, "family-name")}
      ${input("phone_number", texts.phone, "tel")}</div>
      ${radios({ name: "locale", legend: texts.language, choices: languages, fields: { locale: visit.locale, ...details?.fields } })}
      <dl class="glance"><div><dt>${texts.email}</dt><dd>${breakable(profile.email)}</dd></div></dl><p class="quiet">${texts.emailText}</p>
      <p class="buttons"><button>${texts.save}</button></p>
    </form>
    <h2>${texts.addresses}</h2>
    <ul class="cards">${addresses.map(
      (address) => html`<li class="card"><p>${addressBlock(address, visit.locale)}</p>
        <form method="post" action="${base}/profile/addresses/${address.id}/remove">
        <a class="button quiet" href="${base}/profile/addresses/${address.id}">${texts.change}<span class="hidden">: ${addressOf(address, visit.locale)}</span></a>
        <button class="quiet">${texts.remove}<span class="hidden">: ${addressOf(address, visit.locale)}</span></button></form></li>`,
    )}</ul>
    <form class="card" method="post" action="${base}/profile/addresses">
      <h3>${texts.addAddress}</h3>${addressInputs(visit, { values: address?.fields ?? newAddressOf(addresses), faults: address?.faults, isRequired: true })}
      <input type="hidden" name="key" value="page-${visit.c.get("requestId")}">
      <p class="buttons"><button>${texts.addAddress}</button></p>
    </form>`;
  return layout(visit, { title: titleWith(visit, texts.details, sent?.faults), content });
}

/** A further address is mostly in the same country. */
function newAddressOf([first]: { country_code: string }[]): Fields {
  return first ? { country_code: first.country_code } : {};
}

const languages = portalLocales.map((locale): Choice => [locale, languageNames[locale]]);

/**
 * Saves the name and phone number that a form has sent, where an empty field clears it, and the language, which the pages then speak as
 * the mails do.
 */
export async function saveProfile(visit: SignedIn, ask: AskOperations, sent: URLSearchParams): Promise<void> {
  const names = profileForms.details.filter((name) => name !== "locale");
  const body = Object.fromEntries(names.map((name) => [name, sent.get(name)?.trim() || null]));
  const locale = portalLocales.find((one) => one === sent.get("locale"));
  await ask(visit, { id: "updateOwnProfile", body: { ...body, ...(locale ? { locale } : {}) } });
  if (locale && locale !== visit.session.locale)
    await chooseLanguage({ db: visit.c.get("db") }, visit.session, locale);
}

/** An address is refused for the profile's state where that has as many as it may have. */
export function explainFaults({ texts }: SignedIn, form: keyof typeof profileForms, faults: Faults): Faults {
  return form === "address" && faults.code === "INVALID_STATE"
    ? { ...faults, sentence: texts.addressesFull }
    : faults;
}

/** Adds the address that a form has sent, once however often it is sent. */
export async function addAddress(visit: SignedIn, ask: AskOperations, sent: URLSearchParams): Promise<void> {
  await ask(visit, { id: "createOwnAddress", body: readFields(sent, profileForms.address), ...keyOf(sent) });
}

/** A form's own Idempotency-Key. A form without one is not from these pages, and acts each time. */
export function keyOf(sent: URLSearchParams): { key?: string } {
  const key = sent.get("key") ?? "";
  return /^[A-Za-z0-9_.-]{1,200}$/.test(key) ? { key } : {};
}
