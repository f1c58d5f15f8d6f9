import { expect, onTestFinished, test, vi } from 'vitest';
import type { JobId } from '../../src/core/ids.js';
import type { JobPayloads } from '../../src/core/jobs.js';
import { pageJobs } from '../../src/stores/jobs.js';
import type { Engine } from '../../src/database/engine.js';
import { mp4 } from '../api/support/media-files.js';
import { startComplianceServer } from '../api/support/compliance.js';
import { startUploads } from '../api/support/uploads.js';
import { crashAtEveryAttempt, openJobFixture } from './support/worker.js';

const ORDER = { kind: 'note', payload: { text: 'x' }, maxAttempts: 2 } as const;
const HANDLERS = { note: () => Promise.reject(new Error('no')) };

const stored = (engine: Engine) => pageJobs(engine, 0n as JobId, 100);

async function openTwoAttemptFixture() {
  const fixture = await openJobFixture();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  const clock = { now: () => fixture.nowMs, advance: (ms: number) => void (fixture.nowMs += ms) };
  return { fixture, clock };
}

test('the dead-letter handler is called once, when the last attempt fails', async () => {
  const { fixture } = await openTwoAttemptFixture();
  const onDeadLetter = vi.fn(() => Promise.resolve());
  const worker = fixture.worker(HANDLERS, 1, onDeadLetter);
  await fixture.enqueue(ORDER);
  await worker.runDue();
  expect(onDeadLetter).not.toHaveBeenCalled();
  for (let hour = 0; hour < 3; hour += 1) {
    fixture.nowMs += 3_600_000;
    await worker.runDue();
  }
  expect(onDeadLetter.mock.calls).toMatchObject([[{}, { kind: 'note', payload: { text: 'x' } }]]);
});

test('a job that crashed its process at every attempt is not run again, but marked as dead and reported', async () => {
  const { fixture, clock } = await openTwoAttemptFixture();
  const [handler, onDeadLetter] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
  await fixture.enqueue(ORDER);
  await crashAtEveryAttempt(fixture.engine, 'note', clock);
  await fixture.worker({ note: handler }, 1, onDeadLetter).runDue();
  expect(handler).not.toHaveBeenCalled();
  expect(onDeadLetter).toHaveBeenCalledTimes(1);
  expect(await stored(fixture.engine)).toMatchObject([
    { state: 'dead', attempts: 2, lastError: expect.stringContaining('process') },
  ]);
  expect(fixture.warnings).toEqual(['a job is dead']);
});

test('a job is marked as dead in the transaction of its dead-letter handler, which is retried', async () => {
  const { fixture, clock } = await openTwoAttemptFixture();
  let isBroken = true;
  const onDeadLetter = async (tx: Parameters<typeof fixture.queue.enqueue>[0]) => {
    await fixture.queue.enqueue(tx, { kind: 'unknown', payload: { x: 1 } });
    if (isBroken) throw new Error('not now');
  };
  const worker = fixture.worker(HANDLERS, 1, onDeadLetter);
  await fixture.enqueue(ORDER);
  await crashAtEveryAttempt(fixture.engine, 'note', clock);
  await worker.runDue();
  expect(await stored(fixture.engine)).toMatchObject([{ kind: 'note', state: 'running' }]);
  isBroken = false;
  clock.advance(60_000);
  await worker.runDue();
  expect(await stored(fixture.engine)).toMatchObject([{ kind: 'note', state: 'dead' }, { kind: 'unknown' }]);
});

test('a compliance job that crashes its process at every attempt fails and allows the next one', async () => {
  const server = await startComplianceServer();
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => errors.mockRestore());
  const job = await server.create('tweets');
  await server.upload(job, ['1']);
  const { engine, clock } = server.app.pipit.backend;
  const kind: keyof JobPayloads = 'check-compliance';
  await crashAtEveryAttempt(engine, kind, { now: clock, advance: server.advance });
  expect(await server.status(job)).toBe('in_progress');
  await server.runJobs();
  expect(await server.status(job)).toBe('failed');
  await server.create('tweets');
});

test('a video that crashes its process at every attempt fails', async () => {
  const app = await startUploads();
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => errors.mockRestore());
  const media = mp4();
  const video = { media_type: 'video/mp4', media_category: 'tweet_video' };
  const started = await app.v1({ command: 'INIT', total_bytes: media.length, ...video });
  const id = started.body.media_id_string as string;
  await app.v1({ command: 'APPEND', media_id: id, segment_index: 0, media });
  await app.v1({ command: 'FINALIZE', media_id: id });
  const state = async () => {
    const { body } = await app.v1Get(`command=STATUS&media_id=${id}`);
    return body.processing_info.state as unknown;
  };
  const { engine, clock } = app.pipit.backend;
  const kind: keyof JobPayloads = 'process-media';
  await crashAtEveryAttempt(engine, kind, { now: clock, advance: app.advance });
  expect(await state()).toBe('pending');
  await app.runJobs();
  expect(await state()).toBe('failed');
});
