/**
 * The time from the start of the built program to its first answer, with a database in memory: with and without the
 * demo world, as a server and as a sandbox. `npm run bench:start -- --help`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuSecondsOf } from './cpu.js';
import { median } from './measure.js';

const USAGE = `Usage: npm run bench:start -- [options]
  --rounds N  starts of each kind (9)`;

/** Milliseconds to the first answer (docs/performance.md). */
const TARGET_MS = 300;
const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

const KINDS: readonly (readonly string[])[] = [
  [],
  ['--load', 'demo'],
  ['--sandbox'],
  ['--sandbox', '--load', 'demo'],
];

/** The result of one start. */
interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

async function start(args: readonly string[]): Promise<Start> {
  const fixed = ['serve', '--port', '0', '--json', '--log-level', 'silent', '--database', 'sqlite::memory:'];
  const startMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...fixed, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { readonly url: string };
    // 401, but from the interface: the token of the demo world is one that the other servers refuse.
    const headers = { authorization: 'Bearer demo-bearer-token' };
    await (await fetch(`${url}/2/users/by/username/maya`, { headers })).text();
    const ms = performance.now() - startMs;
    return { ms, cpuMs: (await cpuSecondsOf(child.pid ?? 0)) * 1_000 };
  } finally {
    child.kill();
    await closed;
  }
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, help: { type: 'boolean' } },
});
if (values.help) console.log(USAGE);
else {
  // The first start reads the files into the system's cache.
  await start([]);
  console.log(`first answer after a start: target ${TARGET_MS} ms, ${values.rounds} starts of each kind`);
  for (const args of KINDS) {
    const starts: Start[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) starts.push(await start(args));
    const times = starts.map(({ ms }) => ms);
    const [least, middle, cpu] = [
      Math.min(...times),
      median(times),
      median(starts.map(({ cpuMs }) => cpuMs)),
    ];
    const shown = [least, middle, cpu].map((value) => value.toFixed(0).padStart(5));
    console.log(
      `${['serve', ...args].join(' ').padEnd(28)} min ${shown[0]}  median ${shown[1]}  CPU ${shown[2]} ms`,
    );
  }
}
