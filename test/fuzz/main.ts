import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.js';

const USAGE = `Usage: npm run fuzz -- [options]
  --minutes N   duration (1)
  --seed N      seed of the requests (from the clock)
  --only N      sends only this request, to reproduce a finding`;

const PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
} else {
  const { sent, statuses, findings } = await fuzz({
    seed: Number(values.seed),
    requests: Infinity,
    milliseconds: Number(values.minutes) * 60_000,
    only: values.only === undefined ? undefined : Number(values.only),
    program: [PROGRAM],
    report: (line) => console.log(line),
  });
  const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).sort();
  console.log(`${sent} requests of seed ${values.seed}; ${counts.join(', ')}; ${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
