import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiResponseError, TwitterApi } from 'twitter-api-v2';
import { LocalAgent } from './support/local-agent.js';
import type { WireServer } from './support/wire-server.js';
import { ALICE, APP, CAROL, POSTS, startWireServer } from './support/wire-world.js';

/** Compliance jobs with unmodified twitter-api-v2, which follows the links of a job over https only. */

let server: WireServer;
let app: TwitterApi;

beforeAll(async () => {
  server = await startWireServer({ baseUrl: 'https://pipit.example' });
  app = new TwitterApi(APP.bearerToken, { httpAgent: new LocalAgent(server.port) });
});

afterAll(() => server.close());

async function completed(id: string) {
  return vi.waitUntil(
    async () => {
      const { data } = await app.v2.complianceJob(id);
      return data.status === 'complete' && data;
    },
    { timeout: 20_000, interval: 50 },
  );
}

test('the client uploads post ids, waits, and reads the results', async () => {
  const ids = [POSTS.root, POSTS.guarded, '1'];
  const { data: job } = await app.v2.sendComplianceJob({ type: 'tweets', name: 'archive', ids });
  expect(job).toMatchObject({ type: 'tweets', name: 'archive', status: 'created', resumable: false });
  const done = await completed(job.id);
  expect(await app.v2.complianceJobResult(done)).toEqual([
    {
      id: POSTS.guarded,
      action: 'delete',
      created_at: expect.stringMatching(/\.000Z$/) as string,
      reason: 'protected',
    },
  ]);
  const { data: jobs } = await app.v2.complianceJobs({ type: 'tweets', status: 'complete' });
  expect(jobs.map(({ id }) => id)).toEqual([job.id]);
});

test('the client uploads user ids from a buffer', async () => {
  const ids = Buffer.from(`${ALICE.id}\n${CAROL.id}\n`);
  const { data: job } = await app.v2.sendComplianceJob({ type: 'users', ids });
  const rows = await app.v2.complianceJobResult(await completed(job.id));
  expect(rows.map(({ id, reason }) => [id, reason])).toEqual([[CAROL.id, 'protected']]);
});

test('a job without findings has an empty result', async () => {
  const { data: job } = await app.v2.sendComplianceJob({ type: 'users', ids: [ALICE.id] });
  expect(await app.v2.complianceJobResult(await completed(job.id))).toEqual([]);
});

test('a second job of a type returns 409', async () => {
  await app.v2.post('compliance/jobs', { type: 'tweets' });
  const second = app.v2.post('compliance/jobs', { type: 'tweets' });
  await expect(second).rejects.toSatisfy(
    (error) => error instanceof ApiResponseError && error.code === 409 && error.data.title === 'Conflict',
  );
});
