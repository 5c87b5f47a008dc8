import { demoId } from "../../base/demo.ts";
import { errorCodes } from "../../base/errors.ts";
import { statusOf } from "../../kit/http/errors.ts";
import { errorMeanings } from "./error-meanings.ts";

/** The introduction before the operations: the description of the whole document, in Markdown. */
export function introduction(): string {
  return [credentials, lists, values, repeating, limits, testing, errors()].join("\n\n");
}

const credentials = `The back end of a store that sells by subscription: its customers (profiles), what they subscribe to, the charges and orders that follow, and the history of it all. [Guides](/docs/index.html) lead through it. Everything that a request sees or changes belongs to one account: the merchant's store.

## Credentials and scopes

- \`X-API-Key\` proves the account. The merchant's server holds it; it never belongs in a browser.
- \`Authorization: Bearer\` proves the account and who acts: a member of staff (\`admin\`), a customer or a program (\`api\`). The server gets one with its key, by \`POST /api/auth/token\`.

Each operation says which of the two it needs: one of them, or both, which then have to be of one account. It also names a scope, such as \`subscriptions:write\`, that every credential sent to it needs. A key has all scopes unless it was made with fewer; a token has those of the key that issued it, or fewer. A customer's token has no scopes: it reaches the operations for customers, and of their records only its own.`;

function errors(): string {
  return `## Errors

Every failure has one shape, and a status that says what kind it is:

\`\`\`json
{ "error": "Request is not valid: label: is required", "errorCode": "VALIDATION_FAILED",
  "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10", "details": [{ "path": "label", "message": "is required" }] }
\`\`\`

\`error\` is for people and may change; decide by \`errorCode\`. \`details\` lists each fault with its place. Unknown fields and parameters are refused by name, so that a misspelt filter never returns everything. With \`Accept: application/problem+json\` the same members come as RFC 9457 has them.

| Status | errorCode | Meaning |
|---|---|---|
${errorCodes.map((code) => `| ${statusOf[code]} | \`${code}\` | ${errorMeanings[code]} |`).join("\n")}`;
}

const lists = `## Lists

Lists come in pages: \`page\` counts from 1, \`limit\` is 1 to 100 and 25 by default. \`meta\` has the totals and the URLs of the other pages, and the header \`Link\` has these too. To read a whole list, follow \`next_page_url\` until it is null: it has a \`cursor\`, which costs no more however far it leads, goes with the query that it was made for and never expires. A page by its number works near both ends of a list. No request looks at more than 5,000 records: where that does not settle it, \`total_is_estimate\` is true, the total is a lower bound, and a page that is short, or empty, with a next one says \`is_partial\`. The activity feed has its totals in \`metadata\`, and its next page in \`Link\` alone; the event stream goes on by \`after\`; the lists of reasons have no pages.`;

const values = `## Dates, times and money

- An instant is UTC with milliseconds: \`2026-11-20T12:00:00.000Z\`. Requests may have another offset.
- A calendar date, such as \`next_delivery_date\`, is a day in the account's time zone: \`2026-11-20\`. Requests may have an instant instead, whose day in that time zone counts.
- Days of the week are those of ISO 8601: 1 is Monday, 7 is Sunday.
- Money is a number in major units: 12.5 is 12.50 USD. More decimals than the currency has are refused. Totals are rounded half away from zero, each discount once.
- Ids are UUIDs, but for selling plans and fields that begin with \`store_\`, which have the store's ids. These are shown in their plain form, such as \`5001\`; requests may have the store's global ids too, such as \`gid://shopify/Order/5001\`.
- PUT changes only the fields that the body names. Null clears a field that can be null.`;

const repeating = `## Repeating a request safely

Every POST but those for tokens, agents and store webhooks takes \`Idempotency-Key\`, a text of your choice. For 24 hours the same key with the same request takes effect once: a retry gets the answer again, with the header \`Idempotency-Replayed: true\`. Use a new key for each thing that you want done, and the same one for all its retries. The same key with another request is refused.

With \`?dry_run=true\` an operation checks and answers as it would, and changes nothing: show your customer what will happen before it does. Such an answer has the header \`Dry-Run: true\`, and mostly \`Preview\`: the same request with that as \`If-Preview\` does exactly what was shown, or is 409 with what it would do now.`;

const limits = `## Limits

By default a key, and each person or program that acts by its tokens, has 600 requests a minute; without a valid credential a client address has 120. The header \`RateLimit-Policy\` says what a deployment allows. Past the limit the answer is 429 with \`Retry-After\`. A body has at most 1 MiB, a bulk upload 10 MiB.`;

const testing = `## Testing

An account is on the sandbox store until it is connected to another. The sandbox charges nobody. The payment method decides what happens: \`pm_success\` is charged, \`pm_card_declined\` and \`pm_insufficient_funds\` are declined and tried again, \`pm_expired_card\` is declined for good, \`pm_requires_action\` waits for the customer, \`pm_pending\` and \`pm_timeout\` take a while. Any other id is charged.

Locally and on staging such an account also has a clock of its own: \`POST /api/account/test-clock\` moves it forward, and does all that falls due on the way. It cannot go back, so use an account that you can throw away.

The examples name records of the demo store that \`npm start\` makes locally, such as the subscription \`${demoId("subscription", 1)}\`.`;
