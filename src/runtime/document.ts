import { webhookDescriptions } from "../domain/webhook-endpoints/event-schemas.ts";
import { introduction } from "../edges/docs/introduction.ts";
import { documentInfo, tagMeanings } from "../edges/docs/routes.ts";
import { buildDocument } from "../kit/http/document/document.ts";
import type { LoadedOperation } from "../kit/http/document/load-schemas.ts";

/** The OpenAPI document of these operations. The dates in its examples are counted from the day of `now`. bundle/document.ts is deployed in its place. */
export async function makeDocument(
  operations: () => Promise<LoadedOperation[]>,
  now: Date,
): Promise<ReturnType<typeof buildDocument>> {
  const today = new Date(now.toISOString().slice(0, 10));
  const info = { ...documentInfo, description: introduction() };
  return buildDocument(info, tagMeanings, await operations(), webhookDescriptions, today);
}
