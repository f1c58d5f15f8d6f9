import { expect, onTestFinished, test, vi } from 'vitest';
import type { JobId } from '../../src/core/ids.js';
import type { JobPayloads } from '../../src/core/jobs.js';
import { pageJobs } from '../../src/stores/jobs.js';
import type { Engine } from '../../src/database/engine.js';
import { mp4 } from '../api/support/media-files.js';
import { startComplianceServer } from '../api/support/compliance.js';
import { startUploads } from '../api/support/uploads.js';
import { dieAtEveryAttempt, openBench } from './support/worker.js';

const ORDER = { kind: 'note', payload: { text: 'x' }, maxAttempts: 2 } as const;
const HANDLERS = { note: () => Promise.reject(new Error('no')) };

const stored = (engine: Engine) => pageJobs(engine, 0n as JobId, 100);

async function openMortalBench() {
  const bench = await openBench();
  onTestFinished(() => bench[Symbol.asyncDispose]());
  const clock = { now: () => bench.nowMs, advance: (ms: number) => void (bench.nowMs += ms) };
  return { bench, clock };
}

test('who waits for a job is told when its last attempt failed, not before, and once', async () => {
  const { bench } = await openMortalBench();
  const onDeadLetter = vi.fn(() => Promise.resolve());
  const worker = bench.worker(HANDLERS, 1, onDeadLetter);
  await bench.enqueue(ORDER);
  await worker.runDue();
  expect(onDeadLetter).not.toHaveBeenCalled();
  for (let hour = 0; hour < 3; hour += 1) {
    bench.nowMs += 3_600_000;
    await worker.runDue();
  }
  expect(onDeadLetter.mock.calls).toMatchObject([[{}, { kind: 'note', payload: { text: 'x' } }]]);
});

test('a job that ended its process at every attempt is not tried again: it is dead, and that is told', async () => {
  const { bench, clock } = await openMortalBench();
  const [handler, onDeadLetter] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
  await bench.enqueue(ORDER);
  await dieAtEveryAttempt(bench.engine, 'note', clock);
  await bench.worker({ note: handler }, 1, onDeadLetter).runDue();
  expect(handler).not.toHaveBeenCalled();
  expect(onDeadLetter).toHaveBeenCalledTimes(1);
  expect(await stored(bench.engine)).toMatchObject([
    { state: 'dead', attempts: 2, lastError: expect.stringContaining('process') },
  ]);
  expect(bench.warnings).toEqual(['a job is dead']);
});

test('a job is not dead before it could be told, and telling takes part in its death', async () => {
  const { bench, clock } = await openMortalBench();
  let isBroken = true;
  const onDeadLetter = async (tx: Parameters<typeof bench.queue.enqueue>[0]) => {
    await bench.queue.enqueue(tx, { kind: 'unknown', payload: { x: 1 } });
    if (isBroken) throw new Error('not now');
  };
  const worker = bench.worker(HANDLERS, 1, onDeadLetter);
  await bench.enqueue(ORDER);
  await dieAtEveryAttempt(bench.engine, 'note', clock);
  await worker.runDue();
  expect(await stored(bench.engine)).toMatchObject([{ kind: 'note', state: 'running' }]);
  isBroken = false;
  clock.advance(60_000);
  await worker.runDue();
  expect(await stored(bench.engine)).toMatchObject([{ kind: 'note', state: 'dead' }, { kind: 'unknown' }]);
});

test('a compliance job that ends its process at every attempt has failed, and lets the next one begin', async () => {
  const server = await startComplianceServer();
  const complaints = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => complaints.mockRestore());
  const job = await server.create('tweets');
  await server.upload(job, ['1']);
  const { engine, clock } = server.app.pipit.backend;
  const kind: keyof JobPayloads = 'check-compliance';
  await dieAtEveryAttempt(engine, kind, { now: clock, advance: server.advance });
  expect(await server.status(job)).toBe('in_progress');
  await server.runJobs();
  expect(await server.status(job)).toBe('failed');
  await server.create('tweets');
});

test('a video whose processing ends its process at every attempt has failed', async () => {
  const app = await startUploads();
  const complaints = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => complaints.mockRestore());
  const media = mp4();
  const video = { media_type: 'video/mp4', media_category: 'tweet_video' };
  const begun = await app.v1({ command: 'INIT', total_bytes: media.length, ...video });
  const id = begun.body.media_id_string as string;
  await app.v1({ command: 'APPEND', media_id: id, segment_index: 0, media });
  await app.v1({ command: 'FINALIZE', media_id: id });
  const state = async () => {
    const { body } = await app.v1Get(`command=STATUS&media_id=${id}`);
    return body.processing_info.state as unknown;
  };
  const { engine, clock } = app.pipit.backend;
  const kind: keyof JobPayloads = 'process-media';
  await dieAtEveryAttempt(engine, kind, { now: clock, advance: app.advance });
  expect(await state()).toBe('pending');
  await app.runJobs();
  expect(await state()).toBe('failed');
});
