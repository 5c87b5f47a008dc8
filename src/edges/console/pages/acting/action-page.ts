import { html } from "hono/html";
import { type DomainError, notFound } from "../../../../base/errors.ts";
import { newId } from "../../../../base/lib/ids.ts";
import { type Call, isRefusal, previewOf } from "../../../pages/ask.ts";
import { type Html, renderAlert } from "../../../pages/document.ts";
import { factRows } from "../../../pages/facts.ts";
import type { Fields } from "../../../pages/fields.ts";
import { type ChangeRow, changeTable, hiddenInputs } from "../../../pages/preview.ts";
import { type C, type StaffVisit, visitOf } from "../console-env.ts";
import { layout } from "../layout.ts";
import { type AskAsStaff, type PageOperation, requireReach } from "../visit.ts";
import type { StaffAction } from "./action.ts";
import { bodyOf, fieldInput, textsOf } from "./fields.ts";

/** A form of an action that is being filled in: the record that it changes, and the texts of its fields. */
type Filled = {
  visit: StaffVisit;
  ask: AskAsStaff;
  name: string;
  action: StaffAction;
  params: Fields;
  before: Fields;
  texts: Fields;
};

/** The first state of a change: its form. */
export async function actionForm(visit: StaffVisit, ask: AskAsStaff, chosen: Chosen): Promise<Html> {
  const filled = await fill(visit, ask, chosen, visit.c.req.query());
  await ask(visit, {});
  return formPage({ ...filled, texts: { ...filled.before, ...filled.texts } });
}

/** Takes a form: shows its preview, and once that is confirmed, makes the change. */
export async function takeAction(c: C, ask: AskAsStaff, chosen: Chosen): Promise<Response> {
  const visit = visitOf(c) as StaffVisit;
  const sent = textsSent(c);
  const filled = await fill(visit, ask, chosen, sent);
  const { action, params, before, texts } = filled;
  const operation = ask.operationOf(action.id);
  const fields = (action.fields ?? []).filter(({ name }) => !action.current || texts[name] !== before[name]);
  if (action.current && fields.length === 0)
    return c.html(await formPage(filled, "Nothing is different yet."), 400);
  const values = bodyOf(fields, texts);
  const call = {
    id: action.id as PageOperation,
    path: { ...texts, ...params },
    ...(operation?.body ? { body: action.body?.(values, params) ?? values } : {}),
    mayBeRefused: true,
  } as const satisfies Call<PageOperation>;
  const isConfirmed = sent.key !== undefined || action.isReading;
  const isDryRunnable = runsDry(operation?.query);
  const preview = async (alert?: string): Promise<Response> => {
    const dry = isDryRunnable ? await askOne(visit, ask, { ...call, query: { dry_run: "true" } }) : undefined;
    await ask(visit, {});
    if (isRefusal(dry)) return c.html(await formPage(filled, refusalText(dry)), 400);
    return c.html(await previewPage(filled, dry, alert), alert ? 409 : 200);
  };
  if (!isConfirmed) return preview();
  const shown = sent.preview === undefined ? {} : { preview: sent.preview };
  const key = operation?.method === "post" ? { key: sent.key ?? newId() } : {};
  const answer = await askOne(visit, ask, { ...call, ...key, ...shown });
  if (isRefusal(answer)) {
    if (answer.code === "FORBIDDEN") throw answer;
    if (answer.code === "PREVIEW_CHANGED") return preview(changedSince);
    await ask(visit, {});
    return c.html(await formPage(filled, refusalText(answer)), 409);
  }
  if (action.shows) {
    const content = html`${action.shows(visit, answer as never)}<p><a class="button quiet" href="${visit.base}${backOf(action, params)}">Back</a></p>`;
    return c.html(await layout(visit, { title: action.title, content }));
  }
  const [page = "", section] = backOf(action, params).split("#");
  const address = `${visit.base}${page}${page.includes("?") ? "&" : "?"}done`;
  return c.redirect(section === undefined ? address : `${address}#${section}`, 303);
}

const changedSince =
  "This has changed since you looked. Below is what it would do now. Nothing has been changed.";

type Chosen = { name: string; action: StaffAction };

/** Throws FORBIDDEN where the member's role has not the operation, whatever is sent. */
async function fill(
  visit: StaffVisit,
  ask: AskAsStaff,
  { name, action }: Chosen,
  sent: Fields,
): Promise<Filled> {
  requireReach(visit, ask, action.id);
  const params = Object.fromEntries((action.params ?? []).map((param) => [param, sent[param] ?? ""]));
  if (Object.values(params).includes("")) throw notFound("Page");
  const fields = action.fields ?? [];
  const texts = Object.fromEntries(
    fields.flatMap((field) => (sent[field.name] ? [[field.name, sent[field.name] ?? ""]] : [])),
  );
  return { visit, ask, name, action, params, before: await readCurrent(visit, ask, action, params), texts };
}

async function readCurrent(
  visit: StaffVisit,
  ask: AskAsStaff,
  { current, fields = [] }: StaffAction,
  params: Fields,
): Promise<Fields> {
  if (!current) return {};
  const { record } = await ask(visit, { record: { id: current.id as PageOperation, path: params } });
  const pick = current.pick ?? ((answer: unknown) => (answer as { data: Record<string, unknown> }).data);
  const found = pick(record, params);
  if (!found) throw notFound("Record");
  return textsOf(fields, found);
}

async function askOne(visit: StaffVisit, ask: AskAsStaff, call: Call<PageOperation>): Promise<unknown> {
  const { answer } = await ask(visit, { answer: call });
  return answer;
}

/** The texts that a form has sent, by name; a field that was sent several times has them divided by commas. */
export function textsSent(c: C): Fields {
  return Object.fromEntries([...new Set(c.get("sent").keys())].map((name) => [name, textIn(c, name)]));
}

function textIn(c: C, name: string): string {
  return c
    .get("sent")
    .getAll(name)
    .map((text) => text.trim())
    .filter(Boolean)
    .join(",");
}

function runsDry(query: unknown): boolean {
  const shape = (query as { shape?: Record<string, unknown> } | undefined)?.shape;
  return shape !== undefined && "dry_run" in shape;
}

/** The sentence of a refusal, and each fault of the request. */
export function refusalText({ message, details }: DomainError): string {
  const faults = (details ?? []).map(({ path, message: fault }) => `${path} ${fault}`);
  return [`${message}. Nothing was changed.`, ...faults].join(" ");
}

/** The page that an action belongs to, with the values of the address in it. */
function backOf({ back }: StaffAction, params: Fields): string {
  return back.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function formPage({ visit, name, action, params, texts }: Filled, fault?: string): Html {
  const { title, says, fields = [] } = action;
  const content = html`${renderAlert(fault)}<form class="card" method="post" action="${visit.base}/do/${name}">
    ${says ? html`<p>${says}</p>` : ""}${hiddenInputs(params)}${fields.map((field) => fieldInput(field, texts[field.name]))}
    <p class="buttons"><button>${action.isReading ? action.button : "Look at it first"}</button> <a class="button quiet" href="${visit.base}${backOf(action, params)}">Back</a></p></form>`;
  return layout(visit, { title, content });
}

const compared = { texts: { before: "Now", after: "Then", unchanged: "as it is" } };

/** The second state: what will be, before anything is; where it is another than was shown, under a sentence that says so. */
function previewPage(
  { visit, name, action, params, before, texts }: Filled,
  dry: unknown,
  alert?: string,
): Html {
  const { title, button, says, fields = [], facts, isDanger } = action;
  const rows = fields.map(
    ({ name: field, label }): ChangeRow => [label, before[field] ?? "–", texts[field] ?? "–"],
  );
  const changed = action.current ? rows.filter(([, from, to]) => from !== to) : rows;
  const table = action.current
    ? changeTable(compared, changed)
    : html`<dl>${factRows(changed.map(([label, , to]) => [label, to]))}</dl>`;
  const hash = previewOf(dry);
  const sent = {
    ...params,
    ...texts,
    ...(hash === undefined ? {} : { preview: hash }),
    key: newId(),
  };
  const content = html`${renderAlert(alert)}<form class="card" method="post" action="${visit.base}/do/${name}">
    ${says ? html`<p>${says}</p>` : ""}${rows.length > 0 ? table : ""}
    ${facts && dry ? html`<dl>${factRows(facts(visit, dry as never))}</dl>` : ""}${hiddenInputs(sent)}
    <p class="buttons"><button${isDanger ? html` class="danger"` : ""}>${button}</button> <a class="button quiet" href="${visit.base}${backOf(action, params)}">Leave it</a></p></form>`;
  return layout(visit, { title, content });
}
