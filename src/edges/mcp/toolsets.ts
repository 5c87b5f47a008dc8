import { type Resource, resources } from "../../base/accounts/scopes.ts";
import type { AnyOperation } from "../../kit/http/document/operation.ts";

/**
 * Resources without tools. Tokens, and every other answer that is a secret, would put credentials into an agent's context; who is staff is for
 * people to decide.
 */
const withoutTools: ReadonlySet<Resource> = new Set(["tokens", "staff"]);

/** The names that a client can choose from: the everyday tools, all of them, or those of a resource, named as in the scopes. */
export const toolsets = [
  "default",
  "all",
  ...resources.filter((resource) => !withoutTools.has(resource)),
] as const;
export type Toolset = (typeof toolsets)[number];

export type ToolsetChoice = { toolsets: Toolset[]; readOnly: boolean };

/**
 * The tools of a client that has not chosen: what merchants ask agents for every day. The list is short, because a model reads
 * all of it before the first question.
 */
export const defaultTools: ReadonlySet<string> = new Set([
  "getAccount",
  "listProfiles",
  "getProfile",
  "listProfileActivity",
  "listSubscriptions",
  "getSubscription",
  "explainSubscription",
  "getSubscriptionPaymentMethods",
  "listUpcomingDeliveries",
  "pauseSubscription",
  "resumeSubscription",
  "cancelSubscription",
  "reactivateSubscription",
  "skipDeliveries",
  "skipSubscription",
  "undoChange",
  "changeFrequency",
  "reschedule",
  "changeDeliveryAddress",
  "applyDiscount",
  "changePaymentMethod",
  "shipNow",
  "retryPayment",
  "listBillingAttempts",
  "listAllBillingAttempts",
  "listOrders",
  "getOrder",
  "listActivityLogs",
  "listSkipReasons",
  "listCancellationReasons",
]);

/** Whether a choice includes the tool of an operation. */
export function isChosen(operation: AnyOperation, { toolsets, readOnly }: ToolsetChoice): boolean {
  if (readOnly && operation.method !== "get") return false;
  return toolsets.some(
    (toolset) =>
      toolset === "all" ||
      toolset === operation.resource ||
      (toolset === "default" && defaultTools.has(operation.id)),
  );
}

/**
 * Whether an operation is for agents at all. Those that serve programs are not: health, keys, tokens, the document, files; nor is the
 * test clock, except where everything is for trying out.
 */
export function isForAgents(operation: AnyOperation, environment: string): boolean {
  const { resource, path, success, secretAnswer, secretBody, rawMedia } = operation;
  if (resource === undefined || withoutTools.has(resource) || secretAnswer || secretBody || rawMedia)
    return false;
  if (path.startsWith(keysPath) || ofPeople.some((part) => path.includes(part))) return false;
  if (path === clockPath && environment !== "local") return false;
  return (success.contentType ?? "application/json") === "application/json";
}

const keysPath = "/api/account/keys";
/** Declarations are answered by people, who judge what strangers have typed; consents are proofs. */
const ofPeople = ["/api/declarations", "/consents"];
const clockPath = "/api/account/test-clock";
