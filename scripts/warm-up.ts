/**
 * Starts the program of a build as its users do, and keeps the code that V8 compiled meanwhile, for the next starts.
 * `node --import tsx scripts/warm-up.ts FOLDER`
 */
import { writeFile } from 'node:fs/promises';
import { codeCacheFile, loadProgram, type Program } from '../src/compiled-program.js';

const STARTS: readonly (readonly string[])[] = [[], ['--sandbox', '--load', 'demo']];
const PATHS = ['/2/users/by/username/maya', '/2/tweets/search/recent?query=maya', '/', '/maya'];

/** Serves until each path has been answered. Throws if the server does not start. */
async function serve({ run, createProcessIo }: Program, args: readonly string[]): Promise<void> {
  const fixed = ['serve', '--port', '0', '--json', '--log-level', 'silent', '--database', 'sqlite::memory:'];
  let stop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => (stop = resolve));
  const notes: string[] = [];
  let answered: Promise<void> | undefined;
  const status = await run([...fixed, ...args], {
    ...createProcessIo(process),
    env: {},
    note: (line) => void notes.push(line),
    print: (line) => {
      answered = ask((JSON.parse(line) as { readonly url: string }).url).finally(stop);
    },
    stopRequested: () => stopRequested,
    onRestartRequested: () => undefined,
    onUncaughtError: () => undefined,
    // V8 rejects code that was kept under other flags than those of the next start.
    limitHeapGrowth: () => undefined,
  });
  if (status !== 0) throw new Error(notes.join('\n'));
  await answered;
}

async function ask(url: string): Promise<void> {
  const headers = { authorization: 'Bearer demo-bearer-token', connection: 'close' };
  for (const path of PATHS) await (await fetch(url + path, { headers })).text();
}

const [folder = ''] = process.argv.slice(2);
const { script, program } = loadProgram(folder);
for (const args of STARTS) await serve(program, args);
await writeFile(codeCacheFile(folder), script.createCachedData());
