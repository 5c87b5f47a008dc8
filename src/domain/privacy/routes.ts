import { demoId } from "../../base/demo.ts";
import { isRehearsed } from "../../kit/context.ts";
import { answerRemoved } from "../../kit/http/answer-record.ts";
import { requireScopes } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { removeProfile } from "../profiles/actions.ts";
import { presentProfile } from "../profiles/present.ts";
import { requestErasure } from "./erasures.ts";

const { ProfileData } = deferred(() => import("../profiles/schemas.ts"));
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
    previews: true,
    errors: ["PROFILE_IN_USE", "VERSION_CONFLICT"],
    success: { status: 204, description: "Deleted." },
    alsoAnswers: {
      200: { description: "A dry run: the profile that would be deleted.", schema: ProfileData },
      202: { description: "Deleted, and being erased.", schema: ProfileErasureData, isNotOnlyDry: true },
    },
    handler: async ({ c, ctx, params, query: { erase = false } }) => {
      if (!erase) return answerRemoved({ c, ctx }, removeProfile(ctx, params.id), presentProfile);
      if (ctx.actor.type !== "admin") requireScopes(c, ["account:write"]);
      const requested = requestErasure(ctx, params.id);
      if (isRehearsed(ctx))
        return answerRemoved(
          { c, ctx },
          requested.then(({ profile }) => profile),
          presentProfile,
        );
      const { profile_id, requested_at } = (await requested).erasure;
      return c.json({ data: { profile_id, requested_at } }, 202);
    },
  }),
];
