/**
 * The cost of search: pages of 100 from an index of 10,000 posts and one of 1,000,000, in process and over HTTP;
 * counts by hour over every post; indexing; and the size of the index,
 * alternating between SQLite and PostgreSQL. `npm run bench:search -- --help`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres.js';
import { reportCounts } from './search-counts.js';
import { reportPages } from './search-pages.js';
import { closeSite, openSite, type Site } from './search-sites.js';

const USAGE = `Usage: npm run bench:search -- [options]
  --small N       posts in the small index (10000)
  --large N       posts in the large index (1000000)
  --times N       requests per page (200)
  --engines NAMES engines, separated by commas: sqlite, postgres (both)
  --dir FOLDER    folder of the SQLite databases (the system's temporary folder)`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      small: { type: 'string', default: '10000' },
      large: { type: 'string', default: '1000000' },
      times: { type: 'string', default: '200' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      dir: { type: 'string', default: tmpdir() },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const engines = values.engines.split(',');
  const folder = await mkdtemp(join(values.dir, 'pipit-search-'));
  const postgres = engines.includes('postgres') ? await startPostgres() : undefined;
  const sites: Site[] = [];
  try {
    for (const name of engines) {
      const place = name === 'postgres' ? { folder, postgres } : { folder };
      for (const posts of [values.small, values.large].map(Number)) sites.push(await openSite(place, posts));
    }
    await reportPages(sites, Number(values.times));
    for (const site of sites) await reportCounts(site);
  } finally {
    for (const site of sites) await closeSite(site);
    await postgres?.remove();
    await rm(folder, { recursive: true });
  }
}

await main();
