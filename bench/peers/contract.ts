/** What every peer does: finds the account of the key, and answers entities and skip reasons with what the API answers. */
export type EntityRow = {
  id: string;
  account_id: string;
  profile_id: string;
  entity_type: string;
  name: string;
  is_active: number;
  image_url: string | null;
  wizard_id: string | null;
  attributes: string;
  created_at: string;
  updated_at: string;
};

export async function keyHash(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isTrue(flag: number): boolean {
  return flag === 1;
}

/** The urls of a list's pages and its total. */
export function metaOf(url: string, total: number, limit: number) {
  const { origin, pathname } = new URL(url);
  const last_page = Math.max(1, Math.ceil(total / limit));
  const pageUrl = (page: number) => `${origin}${pathname}?limit=${limit}&page=${page}`;
  return {
    total,
    total_is_estimate: false,
    per_page: limit,
    current_page: 1,
    last_page,
    first_page: 1,
    first_page_url: pageUrl(1),
    last_page_url: pageUrl(last_page),
    next_page_url: last_page > 1 ? pageUrl(2) : null,
    previous_page_url: null,
  };
}
