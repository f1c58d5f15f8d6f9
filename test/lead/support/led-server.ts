import { credentialsOf } from '../../../src/lead/credentials.js';
import { openLead, type Lead, type LeadOptions } from '../../../src/lead/lead.js';
import { readConfig } from '../../../src/server/config.js';
import { createLog } from '../../../src/server/log.js';
import { startPipit } from '../../../src/server/start.js';
import { readWorldFile } from '../../../src/world/world-file.js';
import { temporaryFolder } from '../../support/cli.js';

/** A server with the demo world, and what leads programs to it. */
export interface LedServer extends AsyncDisposable {
  readonly url: string;
  readonly lead: Lead;
  /** The environment of led programs. */
  readonly env: NodeJS.ProcessEnv;
}

/** Starts the server and a lead to it. */
export async function startLedServer(
  options: Partial<Pick<LeadOptions, 'env' | 'allow'>> = {},
): Promise<LedServer> {
  const folder = await temporaryFolder();
  const config = readConfig(
    { database: 'sqlite::memory:', port: '0', load: ['demo'], rateLimits: 'off', logLevel: 'error' },
    {},
  );
  const pipit = await startPipit(config, { log: createLog('error') });
  const { env = process.env, allow = [] } = options;
  const lead = await openLead({
    pipit: { host: '127.0.0.1', port: pipit.port },
    env,
    allow,
    authorityFolder: folder.path,
    clock: Date.now,
  });
  return {
    url: pipit.url,
    lead,
    env: { ...env, ...lead.variables, ...credentialsOf(await readWorldFile('demo')) },
    [Symbol.asyncDispose]: async () => {
      await lead[Symbol.asyncDispose]();
      await pipit.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
