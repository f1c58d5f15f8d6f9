import pg from 'pg';

/** What a new database of Pipit holds: its tables, and the few rows that the schema itself puts there. */
export type NewDatabase = Readonly<Record<string, readonly string[]>>;

const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`;

/** Looks at a database that was just made. */
export async function describeDatabase(url: string): Promise<NewDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables: Record<string, readonly string[]> = {};
    for (const name of await namesOfTables(client)) {
      const { rows } = await client.query<{ row: string }>(`SELECT to_json(t)::text AS row FROM ${name} t`);
      tables[name] = rows.map(({ row }) => row);
    }
    return tables;
  } finally {
    await client.end();
  }
}

/**
 * Connects to a new database and resolves to a function that makes it what it is now, for when nobody else uses it. The
 * connection stays: another one would have to learn of every table again.
 */
export async function emptierOf(url: string, asNew: NewDatabase): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  // The server goes away at the end of the run.
  client.on('error', () => undefined);
  await client.connect();
  return async () => {
    const names = await namesOfTables(client);
    const statements = names.map((name) => (name in asNew ? `DELETE FROM ${name}` : `DROP TABLE ${name}`));
    for (const [name, rows] of Object.entries(asNew)) {
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
