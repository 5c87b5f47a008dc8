import { DurableObject } from "cloudflare:workers";

/**
 * The database of the tests, as D1's own client asks for it: the protocol, the SQLite engine with its limits, and the figures that
 * Miniflare's D1 gives, without its validation, its second hop and its bookmark for each request, which took a third of the tests'
 * time. test/storage/d1.test.ts holds the two to the same answers. It is a Worker of its own, which the runtime loads as it stands.
 */
export class NearDatabase extends DurableObject {
  async fetch(request) {
    const { storage } = this.ctx;
    if (request.method === "DELETE") {
      await storage.deleteAll();
      this.known = undefined;
      return new Response();
    }
    const isRaw = request.url.endsWith("=ROWS_AND_COLUMNS");
    return new Response(this.answer(await request.text(), isRaw), {
      headers: await bookmarkFor(request, storage),
    });
  }

  /** The answer to statements as D1's protocol writes both, for a caller that needs no headers. */
  answer(asked, isRaw) {
    const queries = [JSON.parse(asked)].flat();
    try {
      const results = this.ctx.storage.transactionSync(() => queries.map((query) => this.run(query, isRaw)));
      return JSON.stringify(results);
    } catch (error) {
      this.known = undefined;
      return JSON.stringify({
        success: false,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** The counts of SQLite and the size of the database, as the last statement has left them: nobody else writes to it. */
  known;

  run({ sql: text, params }, isRaw) {
    const { sql } = this.ctx.storage;
    const before = this.known ?? stateOf(sql);
    const cursor = sql.exec(text, ...(params ?? []).map(toParam));
    const columns = cursor.columnNames;
    const rows = [...cursor.raw()].map((row) => row.map(toValue));
    const after = reads.test(text) ? before : stateOf(sql);
    this.known = after;
    const changes = after.total - before.total;
    return {
      success: true,
      results: isRaw
        ? { columns, rows }
        : rows.map((row) => Object.fromEntries(columns.map((name, nth) => [name, row[nth]]))),
      meta: {
        served_by: "tests",
        served_by_primary: true,
        total_attempts: 1,
        duration: 0,
        timings: { sql_duration_ms: 0 },
        changes,
        last_row_id: after.last,
        changed_db: changes !== 0 || after.last !== before.last || after.size !== before.size,
        size_after: after.size,
        rows_read: cursor.rowsRead,
        rows_written: cursor.rowsWritten,
      },
    };
  }
}

/** The runtime requires each Worker to have a handler. */
export default {
  fetch: () => new Response(null, { status: 404 }),
};

/** Only a session asks where the database stands. */
async function bookmarkFor({ headers }, storage) {
  const name = "x-cf-d1-session-commit-token";
  return headers.has(name) ? { [name]: await storage.getCurrentBookmark() } : {};
}

/** Statements that change nothing. To ask what another has changed takes about as long as it takes itself. */
const reads = /^\s*(SELECT|PRAGMA (table_info|foreign_key_list))\b/i;

function stateOf(sql) {
  const counted = sql.exec("SELECT total_changes() AS total, last_insert_rowid() AS last").one();
  return { ...counted, size: sql.databaseSize };
}

/** Bytes travel as lists of numbers. */
function toParam(param) {
  return Array.isArray(param) ? new Uint8Array(param).buffer : param;
}

function toValue(value) {
  return value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;
}
