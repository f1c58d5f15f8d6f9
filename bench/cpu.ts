import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The kernel ticks in which Linux counts CPU time. */
const TICKS_PER_SECOND = 100;

const KB_PER_MIB = 1024;

/** How long, and for how many samples in a row, an idle process uses at most so much CPU time: a tick. */
const SAMPLE_MS = 100;
const IDLE_SAMPLES = 3;
const IDLE_CPU_SECONDS = 0.011;

/** The resident memory of a process tree in MiB, counting shared pages in each process. */
export interface TreeMemory {
  readonly residentMb: number;
  /** The sum of the peaks of the processes, which may lie at different times. */
  readonly peakMb: number;
}

/**
 * Returns the CPU seconds of a process and its descendants so far: all threads, user and system, including ended
 * children that were waited for. NaN without /proc.
 */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const ticks = await Promise.all((await treeOf(pid)).map(ticksOf));
  return sum(ticks) / TICKS_PER_SECOND;
}

/** Returns the memory of a process and its descendants; NaN without /proc. */
export async function memoryOf(pid: number): Promise<TreeMemory> {
  const statuses = await Promise.all((await treeOf(pid)).map((each) => readProc(`${each}/status`)));
  const total = (name: string): number =>
    sum(statuses.map((text) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? NaN)));
  return { residentMb: total('VmRSS') / KB_PER_MIB, peakMb: total('VmHWM') / KB_PER_MIB };
}

/** Returns the id of a process's parent; NaN without /proc. */
export async function parentOf(pid: number): Promise<number> {
  return Number((await statFields(pid))[1] ?? NaN);
}

/** Waits until a process and its descendants use no more CPU time than idle ones, but at least a time. */
export async function untilIdle(pid: number, leastMs: number): Promise<void> {
  await sleep(leastMs);
  for (let idle = 0, before = await cpuSecondsOf(pid); idle < IDLE_SAMPLES;) {
    await sleep(SAMPLE_MS);
    const now = await cpuSecondsOf(pid);
    idle = now - before <= IDLE_CPU_SECONDS ? idle + 1 : 0;
    before = now;
  }
}

async function treeOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => readProc(`${pid}/task/${thread}/children`)));
  const children = lists.flatMap((text) => text.split(' ').filter((part) => part !== ''));
  return [pid, ...(await Promise.all(children.map((child) => treeOf(Number(child))))).flat()];
}

/** Returns user and system ticks of a process and of its ended children. */
async function ticksOf(pid: number): Promise<number> {
  const fields = await statFields(pid);
  return sum(fields.slice(11, 15).map(Number));
}

/** Returns the fields of /proc/PID/stat from the third on, the state. */
async function statFields(pid: number): Promise<string[]> {
  const stat = await readProc(`${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProc(file: string): Promise<string> {
  return readFile(`/proc/${file}`, 'utf8').catch(() => '');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
