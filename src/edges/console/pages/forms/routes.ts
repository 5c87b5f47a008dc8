import type { Hono } from "hono";
import { type DomainError, notFound } from "../../../../base/errors.ts";
import { statusOf } from "../../../../kit/http/errors.ts";
import { entryOf, isRefusal } from "../../../pages/ask.ts";
import type { Fields } from "../../../pages/fields.ts";
import { type C, type ConsoleEnv, type StaffVisit, staffVisitOf } from "../console-env.ts";
import { type AskAsStaff, type PageCall, requireReach } from "../visit.ts";
import { textsIn } from "./fields.ts";
import { type Chosen, callOf, type FormSubject, fieldsSent, type StaffForm } from "./form.ts";
import { answerPage, formPage, previewPage, readForPage } from "./pages.ts";

/** Serves the forms about records that have a page. That page says then that it is done. */
export function serveSubject(pages: Hono<ConsoleEnv>, ask: AskAsStaff, subject: FormSubject): void {
  serve(pages, ask, `/console/:shop/${subject.folder}/:id/:name`, (c, sent) => {
    const { name, form, params } = pick(c, ask, subject.forms, sent);
    const id = c.req.param("id") ?? "";
    const back = `/${subject.folder}/${encodeURIComponent(id)}`;
    const here = `${staffVisitOf(c).base}${back}/${name}`;
    return { name, form, subject, params: { ...params, id }, texts: sent, here, back };
  });
}

/** Serves the forms about everything else, each by its name. */
export function serveForms(pages: Hono<ConsoleEnv>, ask: AskAsStaff, forms: Record<string, StaffForm>): void {
  serve(pages, ask, "/console/:shop/do/:name", (c, sent) => {
    const { name, form, params } = pick(c, ask, forms, sent);
    const { back = "" } = form;
    const filled = back.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
      encodeURIComponent(params[param] ?? ""),
    );
    return { name, form, params, texts: sent, here: `${staffVisitOf(c).base}/do/${name}`, back: filled };
  });
}

/** The form that the path names, and the values of its address. Throws NOT_FOUND where one is missing, and FORBIDDEN for a role that has not its operation. */
function pick(c: C, ask: AskAsStaff, forms: Record<string, StaffForm>, sent: Fields) {
  const name = c.req.param("name") ?? "";
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (!form) throw notFound("Page");
  requireReach(staffVisitOf(c), ask, form.operation);
  const params = Object.fromEntries((form.params ?? []).map((param) => [param, sent[param] ?? ""]));
  if (Object.values(params).includes("")) throw notFound("Page");
  return { name, form, params };
}

/** Serves the three states of a form: the form, its preview, and what does it. */
function serve(
  pages: Hono<ConsoleEnv>,
  ask: AskAsStaff,
  path: string,
  choose: (c: C, sent: Fields) => Chosen,
): void {
  pages.get(path, async (c) => {
    const visit = staffVisitOf(c);
    const chosen = choose(c, textsIn(new URL(c.req.url).searchParams));
    if (!chosen.form.fields) return preview(c, visit, ask, chosen);
    return c.html(await formPage(visit, ask, { ...chosen, read: await readForPage(visit, ask, chosen) }));
  });
  pages.post(path, async (c) => {
    const visit = staffVisitOf(c);
    const chosen = choose(c, textsIn(c.get("sent")));
    const isConfirmed = chosen.texts.confirm === "1" || chosen.form.isDirect;
    return isConfirmed ? confirm(c, visit, ask, chosen) : preview(c, visit, ask, chosen);
  });
}

/** Shows what a form would do. Of one that was confirmed as something else, `seen` is the newest entry that its preview has shown. */
async function preview(
  c: C,
  visit: StaffVisit,
  ask: AskAsStaff,
  { seen, ...chosen }: Chosen & { seen?: string },
): Promise<Response> {
  const read = await readForPage(visit, ask, chosen, dryRunOf(ask, chosen));
  if (chosen.form.fields && fieldsSent(chosen).length === 0)
    return c.html(await formPage(visit, ask, { ...chosen, read, isUnchanged: true }), 400);
  if (isRefusal(read.dry)) return refuse(c, visit, ask, { ...chosen, refusal: read.dry, read, seen });
  return c.html(await previewPage(visit, ask, { ...chosen, read, seen }), seen === undefined ? 200 : 409);
}

/** The dry run, where the operation has one, its body is known before the record is, and it says more than what was filled in. */
function dryRunOf(ask: AskAsStaff, chosen: Chosen): Record<string, PageCall> {
  const { operation, bodyWith, fields, rows, facts } = chosen.form;
  const { query } = ask.operationOf(operation) ?? {};
  const shape = (query as { shape?: Record<string, unknown> } | undefined)?.shape;
  const isDryRunnable = shape !== undefined && "dry_run" in shape;
  if (!isDryRunnable || bodyWith || !(fields ?? rows ?? facts)) return {};
  return { dry: { ...callOf(chosen), query: { dry_run: "true" }, mayBeRefused: true } };
}

/** Does it as was shown, once however often the form is sent; else shows what it would do now. */
async function confirm(c: C, visit: StaffVisit, ask: AskAsStaff, chosen: Chosen): Promise<Response> {
  const { preview: shown, key, seen } = chosen.texts;
  const before = chosen.form.bodyWith && (await readForPage(visit, ask, chosen));
  const { answer } = await ask(visit, {
    answer: {
      ...callOf(chosen, before?.answer),
      ...(shown ? { preview: shown } : {}),
      ...(key ? { key } : {}),
      mayBeRefused: true,
    },
  });
  if (isRefusal(answer)) {
    if (answer.code === "PREVIEW_CHANGED") return preview(c, visit, ask, { ...chosen, seen: seen ?? "" });
    const read = await readForPage(visit, ask, chosen);
    return refuse(c, visit, ask, { ...chosen, refusal: answer, read, seen });
  }
  if (chosen.form.shows) return c.html(await answerPage(visit, chosen, answer));
  const entry = chosen.subject && entryOf(answer as object);
  const query = chosen.subject
    ? `?${new URLSearchParams({ done: chosen.name, ...(entry ? { entry } : {}) })}`
    : "?done";
  return c.redirect(`${visit.base}${chosen.back}${query}`, 303);
}

/** Tells a refusal beside the form. Throws one that is about no form: another record, or a fault of ours. */
async function refuse(
  c: C,
  visit: StaffVisit,
  ask: AskAsStaff,
  { refusal, ...page }: Parameters<typeof formPage>[2] & { refusal: DomainError },
): Promise<Response> {
  if (["NOT_FOUND", "INTERNAL"].includes(refusal.code)) throw refusal;
  return c.html(await formPage(visit, ask, { ...page, refusal }), statusOf[refusal.code]);
}
