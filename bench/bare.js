// What the API is measured against: a Worker by hand, without framework, validation, limits, logs or error handling,
// doing the same SQL on the same data.
const json = (body) => new Response(body, { headers: { "Content-Type": "application/json" } });

const toReason = ({ deleted_at, kind, ...row }) => ({ data: { ...row, is_active: row.is_active === 1 } });

const hashOf = async (text) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const portal = async (shop, DB) => {
  const cacheKey = `https://bare.invalid/${shop}`;
  const kept = await caches.default.match(cacheKey);
  if (kept) return kept;
  const { results } = await DB.prepare(
    `SELECT r.* FROM accounts a JOIN reasons r ON r.account_id = a.id AND r.kind = 'skip' AND r.deleted_at IS NULL
     AND r.is_active = 1 WHERE a.shop = ? ORDER BY r.position, r.created_at, r.id`,
  )
    .bind(shop)
    .run();
  const response = json(JSON.stringify(results.map(toReason)));
  response.headers.set("Cache-Control", "max-age=60");
  await caches.default.put(cacheKey, response.clone());
  return response;
};

const skipReasons = async (key, DB) => {
  const { results } = await DB.prepare(
    `SELECT r.* FROM api_keys k JOIN reasons r ON r.account_id = k.account_id AND r.kind = 'skip' AND r.deleted_at IS NULL
     WHERE k.key_hash = ? AND k.revoked_at IS NULL ORDER BY r.position, r.created_at, r.id`,
  )
    .bind(await hashOf(key))
    .run();
  return json(JSON.stringify(results.map(toReason)));
};

const toEntity = ({ deleted_at, ...row }) => ({ ...row, is_active: row.is_active === 1 });

const entities = async (key, url, DB) => {
  const hash = await hashOf(key);
  const limit = Number(url.searchParams.get("limit"));
  const [page, counted] = await DB.batch([
    DB.prepare(
      `SELECT e.* FROM api_keys k CROSS JOIN entities e ON e.account_id = k.account_id AND e.deleted_at IS NULL
       WHERE k.key_hash = ? AND k.revoked_at IS NULL ORDER BY e.created_at DESC, e.id DESC LIMIT ?`,
    ).bind(hash, limit),
    DB.prepare(
      `SELECT SUM(c.count) AS total FROM api_keys k JOIN entity_counts c ON c.account_id = k.account_id
       WHERE k.key_hash = ?`,
    ).bind(hash),
  ]);
  const [{ total }] = counted.results;
  const last_page = Math.ceil(total / limit);
  const pageUrl = (page) => `${url.origin}${url.pathname}?limit=${limit}&page=${page}`;
  const meta = { total, per_page: limit, current_page: 1, last_page, first_page: 1 };
  const urls = { first_page_url: pageUrl(1), last_page_url: pageUrl(last_page), next_page_url: pageUrl(2) };
  return json(
    JSON.stringify({ data: page.results.map(toEntity), meta: { ...meta, ...urls, previous_page_url: null } }),
  );
};

export default {
  async fetch(request, { DB }) {
    const url = new URL(request.url);
    const { pathname, searchParams } = url;
    if (pathname === "/api/public/portal/skip-reasons") return portal(searchParams.get("shop"), DB);
    if (pathname === "/api/subscriptions/skip-reasons")
      return skipReasons(request.headers.get("X-API-Key"), DB);
    if (pathname === "/api/subscriptions/entities")
      return entities(request.headers.get("X-API-Key"), url, DB);
    return json('{"keys":[]}');
  },
};
