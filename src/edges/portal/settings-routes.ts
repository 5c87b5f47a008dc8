import type { z } from "@hono/zod-openapi";
import { changeAccount } from "../../base/accounts/actions.ts";
import { portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import { readAccount } from "../../base/accounts/queries.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { readNamed } from "../../base/db/statement.ts";
import { notFound } from "../../base/errors.ts";
import { pictureUrl, storedPicture } from "../../base/pictures.ts";
import { selectNewestFlow } from "../../domain/cancellation/flow-queries.ts";
import { offersOf } from "../../domain/cancellation/offers.ts";
import { offeredFrequencies, selectFrequenciesOfPlans } from "../../domain/selling-plans/queries.ts";
import type { Ctx } from "../../kit/context.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import type { ShopBody } from "./schemas.ts";

const { PortalSettingsData, PortalSettingsUpdate, ShopData } = deferred(() => import("./schemas.ts"));

const path = "/api/account/portal";
const common = { tag: "Portal", credentials: "either", resource: "portal" } as const;

export const portalSettingsOperations = [
  operation({
    ...common,
    id: "getPortalSettings",
    method: "get",
    path,
    summary: "Get the settings of the customer portal",
    description:
      "What the portal looks like, and what customers may do. Every route that customers reach keeps to it.",
    success: { status: 200, description: "The settings.", schema: PortalSettingsData },
    handler: async ({ ctx }) => {
      const account = await readAccount(ctx.db, ctx.account.id);
      if (!account) throw notFound("Account");
      return { data: presentSettings(ctx, account) };
    },
  }),
  operation({
    ...common,
    id: "updatePortalSettings",
    method: "put",
    path,
    summary: "Change the settings of the customer portal",
    description:
      "Changes the settings that are named. They bind every customer's token, over HTTP as on the portal's pages, also while the portal is off.",
    body: PortalSettingsUpdate,
    errors: ["VERSION_CONFLICT"],
    success: { status: 200, description: "The settings as they now are.", schema: PortalSettingsData },
    handler: async ({ ctx, body }) => {
      const { logo_url } = body;
      const logo = logo_url ? { logo_url: storedPicture(ctx, logo_url, "logo_url") } : {};
      const values = (account: Account) => ({
        portal: JSON.stringify({ ...JSON.parse(account.portal), ...body, ...logo }),
      });
      const change = { id: ctx.account.id, values, author: ctx.actor, now: ctx.now };
      return { data: presentSettings(ctx, await changeAccount(ctx, change)) };
    },
  }),
  operation({
    ...common,
    credentials: "customer",
    id: "getOwnShop",
    method: "get",
    path: "/api/portal/settings",
    summary: "Get what the shop lets its customers do",
    description:
      "For pages of the shop's own: the portal's looks and permissions. Whatever is forbidden here is refused.",
    customers: true,
    success: { status: 200, description: "The shop, as its customers see it.", schema: ShopData },
    handler: async ({ ctx }) => {
      const { flow, ofPlans } = await readNamed(ctx.db, {
        flow: selectNewestFlow(ctx),
        ofPlans: selectFrequenciesOfPlans(ctx),
      });
      const frequencies = offeredFrequencies(ctx, ofPlans);
      const hasOffers = flow[0]?.is_enabled === 1 && offersOf(flow[0]).length > 0;
      const address = `${ctx.env.PUBLIC_URL}/portal/${ctx.account.shop}`;
      const pages = { leave_url: `${address}/leave`, withdraw_url: `${address}/withdraw` };
      return {
        data: presentShop(ctx, { frequencies, ...pages, offers_on_cancellation: hasOffers }),
      };
    },
  }),
];

type Shop = z.input<typeof ShopBody>;
type Offered = Pick<Shop, "frequencies" | "leave_url" | "withdraw_url" | "offers_on_cancellation">;

function presentSettings(ctx: Pick<Ctx, "env">, account: Account) {
  const settings = portalSettingsOf(account);
  return { ...settings, logo_url: pictureUrl(ctx, settings.logo_url) };
}

function presentShop(ctx: Pick<Ctx, "env" | "account">, offered: Offered): Shop {
  const { account } = ctx;
  const {
    is_enabled: _enabled,
    base_url: _base,
    return_urls: _urls,
    ...settings
  } = presentSettings(ctx, account);
  const { name, shop, timezone, currency_code } = account;
  return { name, shop, timezone, currency_code, ...settings, ...offered };
}
