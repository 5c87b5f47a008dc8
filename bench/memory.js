// A database that answers each text of SQL as it did the first time, from memory: what is left to measure is the Worker's own work,
// which is what a platform bills it for. Each answer has rows of its own, as one from the database has.
export const remembering = (db) => {
  const answers = new Map();
  const copyOf = ({ results, ...rest }) => ({ ...rest, results: results.map((row) => ({ ...row })) });
  const answer = async (statements) => {
    const key = statements.map(({ sql }) => sql).join(";\n");
    let known = answers.get(key);
    if (!known) {
      known = await db.batch(statements.map(({ sql, params }) => db.prepare(sql).bind(...params)));
      answers.set(key, known);
    }
    return known.map(copyOf);
  };
  const statement = (sql, params) => ({
    sql,
    params,
    bind: (...values) => statement(sql, values),
    run: async () => (await answer([{ sql, params }]))[0],
  });
  return { prepare: (sql) => statement(sql, []), batch: answer };
};
