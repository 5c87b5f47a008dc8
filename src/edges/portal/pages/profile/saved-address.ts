import { html } from "hono/html";
import { notFound } from "../../../../base/errors.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { type Fields, readFields } from "../../../pages/fields.ts";
import { addressFields } from "../actions.ts";
import { type Faults, faultsAlert, titleWith } from "../faults.ts";
import { addressInputs, type Choice, radios } from "../inputs.ts";
import { layout } from "../layout.ts";
import type { AskOperations, SignedIn } from "../visit.ts";

/** The field that asks whether subscriptions follow. */
const follow = "update_subscriptions";

export const savedAddressFields = [...addressFields, follow];

/** The values that were sent before, the faults in them, and why they are shown. */
type Sent = { fields: Fields; faults?: Faults; alert?: string };

/** The page on which a customer corrects a saved address, and says whether the subscriptions that deliver to it follow. */
export async function savedAddressPage(
  visit: SignedIn,
  ask: AskOperations,
  { id, sent }: { id: string; sent?: Sent },
): Promise<Html> {
  const { texts, base, settings } = visit;
  const [{ data: saved }] = await ask(visit, { id: "listOwnAddresses", query: { limit: "100" } });
  const address = saved.find((one) => one.id === id) as Record<string, string | null> | undefined;
  if (!address) throw notFound("Delivery address");
  const stored = Object.fromEntries(addressFields.map((name) => [name, address[name] ?? ""]));
  const { values, faults } = { values: sent?.fields ?? stored, faults: sent?.faults };
  const choices: Choice[] = [
    ["yes", texts.addressEverywhere],
    ["no", texts.addressAlone],
  ];
  const fields = { [follow]: values[follow] ?? "yes" };
  const content = html`<div class="medium"><p><a href="${base}/profile">← ${texts.back}</a></p>
    <h1>${texts.actions.address}</h1>${faultsAlert(visit, faults)}${renderAlert(sent?.alert)}
    <form class="card" method="post" action="${base}/profile/addresses/${id}">
      ${addressInputs(visit, { values, faults, isRequired: true })}
      ${settings.can_change_address ? radios({ name: follow, legend: texts.subscriptions, choices, fields, faults }) : ""}
      <p class="buttons"><button>${texts.save}</button><a class="button quiet" href="${base}/profile">${texts.keep}</a></p>
    </form></div>`;
  return layout(visit, { title: titleWith(visit, texts.actions.address, faults), content });
}

/** Saves what the form has sent; a field that is empty is cleared. */
export async function correctAddress(
  visit: SignedIn,
  ask: AskOperations,
  { id, sent }: { id: string; sent: URLSearchParams },
): Promise<void> {
  const { [follow]: follows, ...fields } = readFields(sent, savedAddressFields);
  const names = addressFields.filter((name) => name !== "country");
  const body = Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  const update = follows === "yes" ? { update_subscriptions: true } : {};
  await ask(visit, { id: "updateOwnAddress", path: { id }, body: { ...body, ...update } });
}
