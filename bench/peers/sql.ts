/** The same three answers by SQL, for the peers that have no query builder. */
export const accountSql = "SELECT account_id FROM api_keys WHERE key_hash = ? AND revoked_at IS NULL";
export const pageSql = `SELECT id, account_id, profile_id, entity_type, name, is_active, image_url, wizard_id, attributes, created_at,
  updated_at FROM entities WHERE account_id = ? AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ?`;
export const totalSql = "SELECT SUM(count) AS total FROM entity_counts WHERE account_id = ?";
export const entitySql = `SELECT id, account_id, profile_id, entity_type, name, is_active, image_url, wizard_id, attributes, created_at,
  updated_at FROM entities WHERE account_id = ? AND id = ? AND deleted_at IS NULL`;
export const reasonsSql = `SELECT id, account_id, is_active, position, label, description, created_at, updated_at FROM reasons
  WHERE account_id = ? AND kind = 'skip' AND deleted_at IS NULL ORDER BY position, created_at, id`;

export function withFlag<R extends { is_active: number }>(row: R) {
  return {
    ...row,
    is_active: row.is_active === 1,
  };
}
