import { demoId } from "../../base/demo.ts";
import { requireScopes } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { removeProfile } from "../profiles/actions.ts";
import { requestErasure } from "./erasures.ts";

const { DeleteProfileQuery, ProfileErasureData } = deferred(() => import("./schemas.ts"));

export const privacyOperations = [
  operation({
    tag: "Profiles",
    credentials: "apiKeyAndBearer",
    resource: "profiles",
    id: "deleteProfile",
    method: "delete",
    path: "/api/profiles/{id}",
    summary: "Delete a profile, or erase a customer",
    description:
      "Its e-mail address can be used again. With `erase=true` everything personal is erased as well, from the profile and all that belongs to it: addresses, entities, payment methods, notes, mails, where orders went, and what the history says; orders, amounts and dates remain, under an id that leads to nobody. That takes some seconds, also of a profile that was deleted before, and deliveries that are still owed are not made. Refused while it has subscriptions that are active, paused or awaiting payment.",
    params: pathId("profile", demoId("profile", 1)),
    query: DeleteProfileQuery,
    errors: ["PROFILE_IN_USE", "VERSION_CONFLICT"],
    success: { status: 204, description: "Deleted." },
    alsoAnswers: {
      202: { description: "Deleted, and being erased.", schema: ProfileErasureData },
    },
    handler: async ({ c, ctx, params, query: { erase = false } }) => {
      if (!erase) {
        await removeProfile(ctx, params.id);
        return undefined;
      }
      if (ctx.actor.type !== "admin") requireScopes(c, ["account:write"]);
      const { profile_id, requested_at } = await requestErasure(ctx, params.id);
      return c.json({ data: { profile_id, requested_at } }, 202);
    },
  }),
];
