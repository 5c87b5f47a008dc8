import { type Answer, nobody, origin } from "../../support/client.ts";
import type { Json, Shop } from "../../support/shops.ts";
import type { TestWorker } from "../../support/worker.ts";

type Form = Record<string, string>;

/** A browser at a shop's portal, or at its console: it keeps cookies, and sends forms as pages of this origin do. */
export function openVisitor({ call }: TestWorker, { of: { account } }: Shop, pages = "/portal") {
  const base = `${pages}/${account.shop}`;
  const cookies = new Map<string, string>();
  const keep = (answer: Answer): Answer => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const pathOf = (path: string) => (path.startsWith("http") || path.startsWith(pages) ? path : base + path);
  const get = async (path = "", headers: Form = {}): Promise<Answer> =>
    keep(await call(nobody, "GET", pathOf(path), { headers: { Cookie: cookie(), ...headers } }));
  const post = async (path: string, form: Form = {}, headers: Form = { Origin: origin }): Promise<Answer> =>
    keep(
      await call(nobody, "POST", pathOf(path), {
        headers: { Cookie: cookie(), "Content-Type": "application/x-www-form-urlencoded", ...headers },
        raw: new URLSearchParams(form).toString(),
      }),
    );
  /** Sends a form with files. */
  const upload = async (
    path: string,
    form: FormData,
    headers: Form = { Origin: origin },
  ): Promise<Answer> => {
    const sent = new Response(form);
    const type = sent.headers.get("content-type") ?? "";
    const raw = new Uint8Array(await sent.arrayBuffer());
    return keep(
      await call(nobody, "POST", pathOf(path), {
        headers: { Cookie: cookie(), "Content-Type": type, ...headers },
        raw,
      }),
    );
  };
  return {
    base,
    cookies,
    get,
    post,
    upload,
    /** Signs in by a link, as its button does. */
    enter: (url: string): Promise<Answer> =>
      post("/enter", { token: new URL(url).searchParams.get("token") ?? "" }),
  };
}

/** A form's hidden fields. */
export function fieldsIn(html: string, action: string): Record<string, string> {
  const form = html.slice(html.indexOf(`action="${action}"`));
  const inputs = form.slice(0, form.indexOf("</form>")).matchAll(/name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

/** A link for the shop's customer, or for another profile, by the merchant's key. */
export async function linkFor(
  { call }: TestWorker,
  shop: Shop,
  more: object = {},
): Promise<{ url: string; expires_at: string }> {
  const body = { profile_id: shop.profileId, ...more };
  const answer = await call<Json>(shop.api, "POST", "/api/portal/sessions", { body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

export function switchOn({ call }: TestWorker, shop: Shop, settings: object = {}): Promise<Answer> {
  return call(shop.api, "PUT", "/api/account/portal", { body: { is_enabled: true, ...settings } });
}
