/** The part that the server’s process computed; the rest is waiting for a processor. */
export interface Pause {
  readonly ms: number;
  readonly cpuMs: number;
}

const MARK = 'fuzz-pause ';
const TICK_MS = 20;

/** Runs in the server before it starts; reports pauses of the event loop on standard error. */
const WATCHER = `
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  let at = performance.now();
  let cpu = process.cpuUsage();
  const look = () => {
    const now = performance.now();
    const used = process.cpuUsage(cpu);
    const ms = Math.round(now - at - ${TICK_MS});
    const cpuMs = Math.round((used.user + used.system) / 1000);
    if (ms > 100) writeSync(2, '${MARK}' + JSON.stringify({ ms, cpuMs }) + '\\n');
    at = now;
    cpu = process.cpuUsage();
  };
  if (isMainThread) setInterval(look, ${TICK_MS}).unref();
`;

/** Options of node that make a server report pauses. */
export const PAUSE_WATCHER: readonly string[] = [
  '--import',
  `data:text/javascript,${encodeURIComponent(WATCHER)}`,
];

/** Returns the pauses reported in lines of standard error. */
export function pausesIn(text: string): Pause[] {
  const lines = text.split('\n').filter((line) => line.startsWith(MARK));
  return lines.map((line) => JSON.parse(line.slice(MARK.length)) as Pause);
}
