import { writeFile } from 'node:fs/promises';
import { loadLanguageDetector } from '../../../src/core/post-text/language.js';
import { readConfig, type ServeFlags } from '../../../src/server/config.js';
import { createLog } from '../../../src/server/log.js';
import { startPipit } from '../../../src/server/start.js';
import { temporaryFolder } from '../../support/cli.js';
import { createTestDatabase, type TestDatabaseUrl } from '../../support/test-database.js';

/** A server in this process, as `serve` starts it, for the clients of a test. */
export interface WireServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const language = loadLanguageDetector();

/** Starts a server on a free port of 127.0.0.1 and loads a world, unless its database has one: then it is null. */
export async function serveWorld(
  world: unknown,
  { flags, database }: { readonly flags?: ServeFlags; readonly database?: TestDatabaseUrl } = {},
): Promise<WireServer> {
  const { url: databaseUrl, dataFolder, remove } = database ?? (await createTestDatabase());
  await using folder = await temporaryFolder();
  const load = world === null ? [] : [folder.file('world.json')];
  for (const file of load) await writeFile(file, JSON.stringify(world));
  const defaults: ServeFlags = { database: databaseUrl, port: '0', load, durability: 'relaxed' };
  const pipit = await startPipit(readConfig({ ...defaults, ...flags }, {}), {
    log: createLog('error'),
    language: await language,
    dataFolder,
  });
  return {
    url: pipit.url,
    port: pipit.port,
    close: async () => {
      await pipit.close();
      if (!database) await remove();
    },
  };
}
