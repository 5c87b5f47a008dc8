import { and, eq, sql } from "drizzle-orm";
import { insertAccountEntry } from "../../../base/accounts/history.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { ConstraintError, commit } from "../../../base/db/commit.ts";
import { guard, isGuard } from "../../../base/db/guard.ts";
import type { Statement } from "../../../base/db/port.ts";
import { retryOnConflict, StaleError } from "../../../base/db/retry-on-conflict.ts";
import { insertRow, updateRow } from "../../../base/db/row-writes.ts";
import { build, type Params, prepare } from "../../../base/db/statement.ts";
import { isDeployed } from "../../../base/env.ts";
import { invalid } from "../../../base/errors.ts";
import { eventTypes } from "../../../base/event-types.ts";
import { diff } from "../../../base/lib/diff.ts";
import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import { updateCancelledDeliveries } from "../../webhook-endpoints/actions.ts";
import { type WebhookEndpoint, webhookEndpoints } from "../../webhook-endpoints/tables.ts";
import { credentialFields, type MailCredentials, openCredentials, sealCredentials } from "../credentials.ts";
import { findMailEndpoint } from "../queries.ts";
import { applyFirstPage, applyRemindersJob } from "../reminder-rules.ts";
import { findServerFault } from "../server.ts";
import { endpointColumns, type MailSettings, mailSettingsOf } from "../settings.ts";
import type { MailSettingsChanges } from "../settings-schemas.ts";
import { mails } from "../tables.ts";
import { endedColumns } from "../unsettled.ts";

type Change = { changes: MailSettingsChanges; dryRun: boolean };

/**
 * Changes the settings that are named, with one entry in the history; switching mails off ends those that wait. Throws VALIDATION_FAILED
 * for settings that nothing could be sent with.
 */
export function changeMailSettings(ctx: Ctx, { changes, dryRun }: Change): Promise<MailSettings> {
  return retryOnConflict(async () => {
    const endpoint = await findMailEndpoint(ctx);
    const before = mailSettingsOf(ctx.account, endpoint);
    const stored = endpoint ? await openCredentials(ctx, endpoint) : {};
    const credentials = credentialsAfter(before, changes, stored);
    const after = settingsAfter(before, changes, credentials);
    requireSendable(ctx, after, credentials);
    if (!dryRun) await write(ctx, { endpoint, before, after, stored, credentials });
    return after;
  });
}

/** Credentials belong to their provider: another one begins without any. Those of a field that is not named stay. */
function credentialsAfter(
  { provider }: MailSettings,
  changes: MailSettingsChanges,
  stored: MailCredentials,
): MailCredentials {
  const isOther = changes.provider !== undefined && changes.provider !== provider;
  if (changes.credentials === null) return {};
  const merged = { ...(isOther ? {} : stored), ...changes.credentials };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** A provider that is set for the first time is switched on, and one that is taken away cannot send. */
function settingsAfter(
  before: MailSettings,
  { credentials: _, kinds, is_enabled, ...changes }: MailSettingsChanges,
  credentials: MailCredentials,
): MailSettings {
  const named = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after: MailSettings = { ...before, ...named };
  const isFirst = before.provider === "none" && after.provider !== "none";
  return {
    ...after,
    kinds: { ...before.kinds, ...definedKinds(kinds) },
    has_credentials: Object.keys(credentials).length > 0,
    is_enabled: is_enabled ?? (after.provider === "none" ? false : isFirst || before.is_enabled),
  };
}

function definedKinds(kinds: MailSettingsChanges["kinds"] = {}): Partial<MailSettings["kinds"]> {
  return Object.fromEntries(Object.entries(kinds).filter(([, kind]) => kind !== undefined));
}

/** Throws VALIDATION_FAILED, naming what the provider lacks or does not take. */
function requireSendable(ctx: Ctx, after: MailSettings, credentials: MailCredentials): void {
  const { provider } = after;
  const { needed, optional } = credentialFields[provider];
  const sent = Object.keys(credentials) as (keyof MailCredentials)[];
  const faults = [
    ...(provider === "log" && isDeployed(ctx.env.ENVIRONMENT)
      ? [{ path: "provider", message: "must be a provider that sends mails: log is for local development" }]
      : []),
    ...(provider === "none" && after.is_enabled
      ? [{ path: "is_enabled", message: "must be false without a provider" }]
      : []),
    ...(needed.length > 0 && after.from_address === null
      ? [{ path: "from_address", message: `is required to send by ${provider}` }]
      : []),
    ...needed
      .filter((name) => credentials[name] === undefined)
      .map((name) => ({ path: `credentials.${name}`, message: `is required to send by ${provider}` })),
    ...sent
      .filter((name) => ![...needed, ...optional].includes(name))
      .map((name) => ({
        path: `credentials.${name}`,
        message: `must be absent: ${provider} has no such credential`,
      })),
  ];
  if (faults.length > 0) throw invalid(faults);
  requireAllowedServer(ctx, after, credentials);
}

function requireAllowedServer(ctx: Ctx, { provider }: MailSettings, { host, port }: MailCredentials): void {
  if (provider !== "smtp" || host === undefined || port === undefined) return;
  const fault = findServerFault({ host, port }, ctx.env);
  if (fault) throw invalid([{ ...fault, path: `credentials.${fault.path}` }]);
}

type Writing = {
  endpoint: WebhookEndpoint | undefined;
  before: MailSettings;
  after: MailSettings;
  stored: MailCredentials;
  credentials: MailCredentials;
};

async function write(ctx: Ctx, writing: Writing): Promise<void> {
  const { endpoint, before, after, stored, credentials } = writing;
  const areOther = JSON.stringify(stored) !== JSON.stringify(credentials);
  const changes = changesOf(before, after);
  if (Object.keys(changes).length === 0 && !areOther) return;
  const id = endpoint?.id ?? ctx.newId();
  const secret = endpoint && !areOther ? endpoint.secret : await sealCredentials(ctx, { id }, credentials);
  const entry = insertAccountEntry({
    ...{ account: ctx.account.seq, action: "account_updated", author: ctx.actor, now: ctx.now },
    subject: { type: "account", id: ctx.account.id },
    changes,
    ...(areOther ? { metadata: { fields: ["mail.credentials"] } } : {}),
  });
  const columns = {
    ...endpointColumns(after),
    ...annualNoticeColumns(ctx, writing),
    secret,
    updated_at: ctx.realNow,
  };
  const isSwitchedOff = before.is_enabled && !after.is_enabled;
  const applying = rulesDiffer(before, after) ? await applyFirstPage(ctx) : [];
  try {
    await commit(ctx, [
      ...(endpoint
        ? [
            guardUnchanged(endpoint),
            updateRow(webhookEndpoints, { account_seq: ctx.account.seq, id }, columns),
          ]
        : [insertRow(webhookEndpoints, newEndpoint(ctx, id, columns))]),
      ...(isSwitchedOff ? updateEnded(ctx, id) : []),
      ...applying,
      entry,
    ]);
  } catch (error) {
    if (isGuard(error) || isTaken(error)) throw new StaleError();
    throw error;
  }
  if (applying.length > 0) await ctx.send([applyRemindersJob(ctx)]);
}

/** Anniversaries are told from the day on which the kind is switched on: none that have passed, and none twice that were told before. */
function annualNoticeColumns(ctx: Ctx, { endpoint, before, after }: Writing): AnnualNoticeColumns {
  if (!tellsAnniversaries(after) || (endpoint && tellsAnniversaries(before))) return {};
  const today = todayOf(ctx);
  const isToldBefore = (endpoint?.annual_notice_on ?? "") >= today;
  return isToldBefore ? {} : { annual_notice_on: today, annual_notice_after: null };
}

function tellsAnniversaries(settings: MailSettings): boolean {
  const { is_enabled, event_types } = endpointColumns(settings);
  return is_enabled === 1 && event_types.includes(eventTypes.annual_notice_due);
}

type AnnualNoticeColumns = Partial<Pick<WebhookEndpoint, "annual_notice_on" | "annual_notice_after">>;
type Columns = ReturnType<typeof endpointColumns> &
  AnnualNoticeColumns & { secret: string; updated_at: string };

/** The columns of an endpoint on the web say nothing of one that mails. */
function newEndpoint(
  { account, realNow }: Pick<Ctx, "realNow"> & { account: Pick<Account, "seq"> },
  id: string,
  columns: Columns,
): WebhookEndpoint {
  return {
    id,
    account_seq: account.seq,
    kind: "mail",
    url: "",
    description: null,
    payload: "thin",
    disabled_reason: null,
    failing_since: null,
    last_success_at: null,
    previous_secret: null,
    previous_secret_until: null,
    recovering: null,
    created_at: realNow,
    deleted_at: null,
    reminders_applied_to: null,
    annual_notice_on: null,
    annual_notice_after: null,
    made_by_key: null,
    masked_to: null,
    ...columns,
  };
}

/** The endpoint of an account of a local deployment, unless it has one: its mails are kept and printed. */
export function insertLogEndpoint(
  account: Pick<Account, "seq" | "name" | "store">,
  { id, now }: { id: string; now: string },
): Statement {
  const settings = { ...mailSettingsOf(account, undefined), provider: "log", is_enabled: true } as const;
  const columns = { ...endpointColumns(settings), secret: "", updated_at: now };
  const { sql, params } = insertRow(webhookEndpoints, newEndpoint({ account, realNow: now }, id, columns));
  return { sql: `${sql} ON CONFLICT DO NOTHING`, params };
}

/** The settings that differ, as the history shows them. */
function changesOf(before: MailSettings, after: MailSettings) {
  const flat = (settings: MailSettings) =>
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`mail.${name}`, JSON.stringify(value)]),
    );
  const changes = Object.entries(diff(flat(before), flat(after)));
  return Object.fromEntries(
    changes.map(([name, { from, to }]) => [
      name,
      { from: JSON.parse(String(from)), to: JSON.parse(String(to)) },
    ]),
  );
}

function guardUnchanged({ account_seq, id, mail, secret, is_enabled }: WebhookEndpoint): Statement {
  return guard(
    `NOT EXISTS (SELECT 1 FROM webhook_endpoints
      WHERE account_seq = ? AND id = ? AND mail = ? AND secret = ? AND is_enabled = CAST(? AS INTEGER))`,
    [account_seq, id, mail, secret, is_enabled],
  );
}

/** Another request has made the account's one mail endpoint meanwhile. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof ConstraintError &&
    error.kind === "unique" &&
    error.on === "webhook_endpoints.account_seq"
  );
}

/** Whether other rules of reminders hold than before. While mails are off none does. */
function rulesDiffer(before: MailSettings, after: MailSettings): boolean {
  const [known, rules] = [before, after].map(({ is_enabled, reminders }) =>
    JSON.stringify(is_enabled ? reminders : []),
  );
  return known !== rules;
}

function updateEnded(ctx: Ctx, endpointId: string): Statement[] {
  return [updateCancelledDeliveries(ctx, endpointId), updateWaiting({ account_seq: ctx.account.seq })];
}

const updateWaiting = prepare((p: Params<{ account_seq: AccountSeq }>) =>
  build
    .update(mails)
    .set(endedColumns("disabled"))
    .where(and(eq(mails.account_seq, p("account_seq")), sql`${mails.status} = 'PENDING'`)),
);
