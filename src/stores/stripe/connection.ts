import { eq } from "drizzle-orm";
import { z } from "zod";
import { selectSeq } from "../../base/db/account-seq.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { build, first, type Params, prepare, statement } from "../../base/db/statement.ts";
import { seal, unseal } from "../../base/lib/secrets/sealed.ts";
import { later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import { UnknownOutcomeError } from "../port.ts";
import { ownerOf } from "../seal-owner.ts";
import { stripeConnections } from "./tables.ts";

/** The keys that an account is connected with. Webhooks are signed with a secret, without which none is accepted; two while it is replaced. */
const credentialsSchema = z.strictObject({
  secret_key: z.string().min(1),
  publishable_key: z.string().min(1),
  webhook_secrets: z.array(z.string().min(1)).max(2),
});
type StripeCredentials = z.output<typeof credentialsSchema>;

type StripeConnection = typeof stripeConnections.$inferSelect;
export type OpenedStripeConnection = Omit<StripeConnection, "credentials"> & {
  credentials: StripeCredentials;
  /** The sealed text, which changes whenever the credentials are replaced. */
  sealed: string;
};

/** With what an account is connected. Throws UnknownOutcomeError if it is not, if Stripe refuses its key, or if it cannot be opened. */
export async function openConnection(
  db: Db,
  key: string | undefined,
  accountId: string,
): Promise<OpenedStripeConnection> {
  const opened = await readConnection(db, key, accountId);
  if (opened.disconnected_at !== null)
    throw new UnknownOutcomeError("Stripe does not accept the account's key any more");
  return opened;
}

/** With what an account is connected, also where Stripe refuses the key. Throws UnknownOutcomeError. */
export async function readConnection(
  db: Db,
  key: string | undefined,
  accountId: string,
): Promise<OpenedStripeConnection> {
  const stored = await findConnection(db, accountId);
  if (!stored) throw new UnknownOutcomeError("The account has no connection to Stripe");
  return unsealConnection(key, accountId, stored);
}

export function findConnection(db: Db, accountId: string): Promise<StripeConnection | undefined> {
  return first(db, selectOfAccount({ account_id: accountId }));
}

/** Stores credentials with the account at Stripe that they were verified for. Whatever its state was, it is connected then. */
export async function writeConnection(key: string, connection: NewConnection): Promise<Statement> {
  const { accountId, store_account, credentials, webhook_endpoint, now } = connection;
  const sealed = await sealCredentials(key, { accountId, store_account, credentials });
  const set = {
    credentials: sealed,
    store_account,
    webhook_endpoint,
    updated_at: now,
    checked_at: now,
    disconnected_at: null,
    next_action_at: later(now, dayMs),
  };
  return statement(
    build
      .insert(stripeConnections)
      .values({ account_seq: selectSeq(accountId), created_at: now, ...set })
      .onConflictDoUpdate({ target: stripeConnections.account_seq, set }),
  );
}

export function sealCredentials(
  key: string,
  {
    accountId,
    store_account,
    credentials,
  }: Pick<NewConnection, "accountId" | "store_account" | "credentials">,
): Promise<string> {
  return seal(key, ownerOf(accountId, store_account), JSON.stringify(credentials));
}

type NewConnection = Pick<StripeConnection, "store_account" | "webhook_endpoint"> & {
  accountId: string;
  credentials: StripeCredentials;
  now: string;
};

async function unsealConnection(
  key: string | undefined,
  accountId: string,
  { credentials: sealed, ...stored }: StripeConnection,
): Promise<OpenedStripeConnection> {
  if (key === undefined) throw new UnknownOutcomeError("STORE_CREDENTIALS_KEY is not set");
  const opened = await unseal(key, ownerOf(accountId, stored.store_account), sealed).catch(() => undefined);
  if (opened === undefined)
    throw new UnknownOutcomeError("STORE_CREDENTIALS_KEY does not open the credentials");
  return { ...stored, sealed, credentials: credentialsSchema.parse(JSON.parse(opened)) };
}

const selectOfAccount = prepare((p: Params<{ account_id: string }>) =>
  build
    .select()
    .from(stripeConnections)
    .where(eq(stripeConnections.account_seq, selectSeq(p("account_id")))),
);
