import pg from 'pg';

/** The contents of a database: its tables and their rows as JSON. */
export type DatabaseContents = Readonly<Record<string, readonly string[]>>;

const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`;

/** Reads the contents of a database. */
export async function describeDatabase(url: string): Promise<DatabaseContents> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables: Record<string, readonly string[]> = {};
    for (const name of await namesOfTables(client)) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT to_json(t)::text AS row FROM ONLY ${name} t`,
      );
      tables[name] = rows.map(({ row }) => row);
    }
    return tables;
  } finally {
    await client.end();
  }
}

/**
 * Connects to a database and returns a function that replaces its contents while nothing else uses it. Tables that
 * are not part of the contents are dropped. The connection stays open, since a new one would have to load the catalogue of tables again.
 */
export async function createReset(url: string): Promise<(contents: DatabaseContents) => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  // The server is stopped at the end of the run.
  client.on('error', () => undefined);
  await client.connect();
  return async (contents) => {
    const names = await namesOfTables(client);
    const statements = names.map((name) => (name in contents ? `DELETE FROM ${name}` : `DROP TABLE ${name}`));
    for (const [name, rows] of Object.entries(contents)) {
      for (const row of rows) {
        const json = client.escapeLiteral(row);
        statements.push(`INSERT INTO ${name} SELECT * FROM json_populate_record(NULL::${name}, ${json})`);
      }
    }
    await client.query(statements.join(';'));
  };
}

async function namesOfTables(client: pg.Client): Promise<string[]> {
  return (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
}
