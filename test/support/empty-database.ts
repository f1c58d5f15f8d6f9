import pg from 'pg';

/** The contents of a new Pipit database: its tables and the rows that the schema inserts. */
export type DatabaseContents = Readonly<Record<string, readonly string[]>>;

const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`;

/** Reads the contents of a new database. */
export async function describeDatabase(url: string): Promise<DatabaseContents> {
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
 * Connects to a new database and returns a function that resets it to its initial contents while nothing else uses
 * it. The connection stays open, since a new one would have to load the catalogue of tables again.
 */
export async function createReset(
  url: string,
  initialContents: DatabaseContents,
): Promise<() => Promise<void>> {
  const client = await connectForTheRun(url);
  const tables = Object.keys(initialContents);
  // A function keeps the plans of its statements: parsing and planning them takes six times as long as running them.
  await client.query(`CREATE FUNCTION pg_temp.clear() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    ${tables.map((name) => `DELETE FROM ${name};`).join(' ')} END $$`);
  const insertions = Object.entries(initialContents).flatMap(([name, rows]) =>
    rows.map((row) => {
      const json = client.escapeLiteral(row);
      return `INSERT INTO ${name} SELECT * FROM json_populate_record(NULL::${name}, ${json})`;
    }),
  );
  return async () => {
    const added = (await namesOfTables(client)).filter((name) => !(name in initialContents));
    const drops = added.map((name) => `DROP TABLE ${name}`);
    await client.query([...drops, 'SELECT pg_temp.clear()', ...insertions].join(';'));
  };
}

/** Connects to a database and returns a function that removes all its contents while nothing else uses it. */
export async function createClearing(url: string): Promise<() => Promise<void>> {
  const client = await connectForTheRun(url);
  return async () => {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  };
}

async function connectForTheRun(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The server is stopped at the end of the run.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function namesOfTables(client: pg.Client): Promise<string[]> {
  return (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
}
