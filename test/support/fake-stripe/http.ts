import { authorize } from "./access.ts";
import { StripeError } from "./errors.ts";
import { expanded } from "./expand.ts";
import { serverError } from "./faults.ts";
import { canonical, formIn, type Params, parseForm } from "./form.ts";
import { type Answer, findSaved, saveAnswer } from "./idempotency.ts";
import { list, refuseUnknown } from "./parameters.ts";
import { type Found, findRoute } from "./routes.ts";
import type { FakeAccount } from "./store.ts";

/** A request that was read but not processed yet. */
export type Incoming = {
  operation: string | null;
  params: Params;
  idempotencyKey: string | null;
  /** Processes it. If the endpoint breaks down, nothing or all of it was done before, and the answer is a 500. */
  answer(breaks?: "none" | "done"): Response;
  /** Leaves it under way until it is answered: its key is in use. */
  hold(): void;
};

/** Reads a request of the API. Nothing is processed until `answer` is called. */
export async function incoming(account: FakeAccount, request: Request): Promise<Incoming> {
  const url = new URL(request.url);
  const isPost = request.method === "POST";
  const params = isPost ? await formIn(request) : parseForm(url.searchParams.toString());
  const found = findRoute(request.method, url.pathname);
  // Keys have no effect on GET and DELETE (docs.stripe.com/api/idempotent_requests).
  const idempotencyKey = isPost ? request.headers.get("Idempotency-Key") : null;
  let held = false;
  return {
    operation: found?.route.operation ?? null,
    params,
    idempotencyKey,
    answer(breaks) {
      if (held && idempotencyKey !== null) account.inFlight.delete(idempotencyKey);
      return answered(account, { request, url, params, found, idempotencyKey, breaks });
    },
    hold() {
      held = idempotencyKey !== null && !account.inFlight.has(idempotencyKey);
      if (held && idempotencyKey !== null) account.inFlight.add(idempotencyKey);
    },
  };
}

type Read = {
  request: Request;
  url: URL;
  params: Params;
  found: Found | undefined;
  idempotencyKey: string | null;
  breaks: "none" | "done" | undefined;
};

function answered(account: FakeAccount, read: Read): Response {
  const { request, url, params, found, idempotencyKey } = read;
  const requestId = account.id("req");
  const headers = {
    "Content-Type": "application/json",
    // Browsers ask with the publishable key.
    "Access-Control-Allow-Origin": "*",
    "Request-Id": requestId,
    "Stripe-Version": request.headers.get("Stripe-Version") ?? account.settings.apiVersion,
    ...(idempotencyKey === null ? {} : { "Idempotency-Key": idempotencyKey }),
  };
  try {
    authorize(account, request, found?.route, params);
    if (!found)
      throw new StripeError(404, {
        type: "invalid_request_error",
        message: `Unrecognized request URL (${request.method}: ${url.pathname}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
      });
    const keyed = {
      key: idempotencyKey ?? "",
      endpoint: url.pathname,
      params: canonical(params),
      requestId,
    };
    const saved = idempotencyKey === null ? undefined : findSaved(account, keyed);
    if (saved)
      return new Response(saved.body, {
        status: saved.status,
        headers: { ...headers, "Idempotent-Replayed": "true", "Original-Request": saved.requestId },
      });
    account.cause = { id: requestId, idempotency_key: idempotencyKey };
    const answer = executed(account, found, read);
    if (idempotencyKey !== null) saveAnswer(account, keyed, answer);
    return new Response(answer.body, { status: answer.status, headers });
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    return new Response(JSON.stringify(error.body, null, 2), { status: error.status, headers });
  } finally {
    account.cause = { id: null, idempotency_key: null };
  }
}

/** Executes the endpoint. Throws what is answered before it begins, and is not saved for its key. */
function executed(account: FakeAccount, { route, ids }: Found, { request, params, breaks }: Read): Answer {
  if (breaks === "none") return { status: 500, body: JSON.stringify(serverError) };
  try {
    refuseUnknown(params, [...route.params, "expand", "client_secret", "key"]);
    const version = request.headers.get("Stripe-Version") ?? account.settings.apiVersion;
    const result = route.run({ account, ids, params, version });
    const answer = expanded(account, result, list(params, "expand") ?? []);
    if (breaks === "done") return { status: 500, body: JSON.stringify(serverError) };
    return { status: 200, body: JSON.stringify(answer, null, 2) };
  } catch (error) {
    if (!(error instanceof StripeError) || error.isBefore) throw error;
    return { status: error.status, body: JSON.stringify(error.body, null, 2) };
  }
}
