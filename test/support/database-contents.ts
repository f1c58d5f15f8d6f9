import pg from 'pg';

/** A function takes at most 100 arguments, two for each table. */
const TABLES_AT_ONCE = 50;

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

/** Access to the contents of one test database while nothing else uses it. */
export interface ContentsAccess {
  /** Restores the initial contents. */
  reset(): Promise<void>;
  /** Returns all rows as JSON; undefined if tables were added, which `fill` cannot create. */
  read(): Promise<string | undefined>;
  /** Replaces the initial contents with rows from `read`, of this database or of another one. */
  fill(rows: string): Promise<void>;
}

/** Connects to a new database. The connection stays open: a new one would load the catalogue of tables again. */
export async function openContents(url: string, initialContents: DatabaseContents): Promise<ContentsAccess> {
  const client = await connectForTheRun(url);
  const tables = Object.keys(initialContents);
  const addedTables = async () => (await namesOfTables(client)).filter((name) => !(name in initialContents));
  // Functions keep the plans of their statements: parsing and planning them takes six times as long as running them.
  const clearing = tables.map((name) => `DELETE FROM ${name};`);
  const filling = tables.map((name) => {
    const rows = `jsonb_populate_recordset(NULL::${name}, rows->'${name}')`;
    return `IF jsonb_typeof(rows->'${name}') = 'array' THEN INSERT INTO ${name} SELECT * FROM ${rows}; END IF;`;
  });
  // New rows must not get the numbers of rows from another database.
  const counting = (await identitiesOf(client)).map(
    ({ table, column, sequence }) =>
      `PERFORM setval('${sequence}', (SELECT GREATEST(MAX(${column}), nextval('${sequence}')) FROM ${table}));`,
  );
  const clearingInitial = tables
    .filter((name) => initialContents[name]?.length)
    .map((name) => `DELETE FROM ${name};`);
  await client.query(`CREATE FUNCTION pg_temp.clear() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    ${clearing.join(' ')} END $$`);
  await client.query(`CREATE FUNCTION pg_temp.fill(rows jsonb) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    ${clearingInitial.join(' ')} ${filling.join(' ')} ${counting.join(' ')} END $$`);
  const insertions = Object.entries(initialContents).flatMap(([name, rows]) =>
    rows.map((row) => {
      const json = client.escapeLiteral(row);
      return `INSERT INTO ${name} SELECT * FROM json_populate_record(NULL::${name}, ${json})`;
    }),
  );
  const rowsByTable = tables.map((name) => `'${name}', (SELECT jsonb_agg(t) FROM ${name} t)`);
  return {
    reset: async () => {
      const drops = (await addedTables()).map((name) => `DROP TABLE ${name}`);
      await client.query([...drops, 'SELECT pg_temp.clear()', ...insertions].join(';'));
    },
    read: async () => {
      if ((await addedTables()).length > 0) return undefined;
      const parts = Array.from({ length: Math.ceil(rowsByTable.length / TABLES_AT_ONCE) }, (_, n) =>
        rowsByTable.slice(n * TABLES_AT_ONCE, (n + 1) * TABLES_AT_ONCE),
      );
      const objects = parts.map((part) => `jsonb_build_object(${part.join(', ')})`);
      const { rows } = await client.query<{ rows: string }>(`SELECT (${objects.join(' || ')})::text AS rows`);
      return rows[0]?.rows;
    },
    fill: async (rows) => {
      await client.query('SELECT pg_temp.fill($1)', [rows]);
    },
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

interface Identity {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
}

/** Returns the columns whose values a sequence generates. */
async function identitiesOf(client: pg.Client): Promise<Identity[]> {
  const { rows } = await client.query<Identity>(`
    SELECT table_name AS "table", column_name AS "column", pg_get_serial_sequence(table_name, column_name) AS sequence
    FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`);
  return rows;
}
