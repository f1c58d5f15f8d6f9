import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import { createSharedDatabase } from '../support/test-database.js';
import { TEST_URL } from '../support/app.js';
import {
  DAY_MS,
  MINUTE_MS,
  NOW_MS,
  startComplianceServer,
  OTHER_BEARER,
  shareComplianceServer,
  type ComplianceServer,
} from './support/compliance.js';
import { invalidRequest, PROBLEMS } from './support/errors.js';

/** Creating, reading and listing compliance jobs (docs/api/compliance.md). */

let shared: Awaited<ReturnType<typeof shareComplianceServer>>;
beforeAll(async () => {
  shared = await shareComplianceServer();
});
afterAll(() => shared.app.close());

const CONFLICT = {
  title: 'Conflict',
  detail: 'You cannot create a new job if one is already in progress.',
  type: `${PROBLEMS}conflict`,
  status: 409,
};

const at = (offsetMs: number): string => new Date(NOW_MS + offsetMs).toISOString();

/** Creates a job, uploads an id and runs the job to completion. */
async function completeJob(server: ComplianceServer, type: 'tweets' | 'users' = 'tweets') {
  const job = await server.create(type);
  await server.upload(job, ['1']);
  await server.runJobs();
  return job;
}

async function listed(server: ComplianceServer, query: string): Promise<string[]> {
  const { body } = await server.get(`/2/compliance/jobs?${query}`);
  const ids = ((body.data ?? []) as { id: string }[]).map(({ id }) => id);
  expect(body.meta).toEqual({ result_count: ids.length });
  return ids;
}

describe('creating a job', () => {
  test('returns 200 with every field; the upload link lasts 15 minutes and the download link 7 days', async () => {
    const server = await startComplianceServer();
    const job = await server.create('tweets', { name: 'Archive & friends', resumable: true });
    expect(job).toEqual({
      id: expect.stringMatching(/^[0-9]{1,19}$/) as string,
      type: 'tweets',
      name: 'Archive & friends',
      created_at: at(0),
      upload_url: expect.stringMatching(new RegExp(`^${TEST_URL}/`)) as string,
      upload_expires_at: at(15 * MINUTE_MS),
      download_url: expect.stringMatching(new RegExp(`^${TEST_URL}/`)) as string,
      download_expires_at: at(7 * DAY_MS),
      estimated_completion: at(10_000),
      status: 'created',
      resumable: true,
    });
    expect((await server.get(`/2/compliance/jobs/${job.id}`)).body).toEqual({ data: job });
    expect((await server.get('/2/compliance/jobs?type=tweets')).body).toEqual({
      data: [job],
      meta: { result_count: 1 },
    });
  });

  test('estimates completion by the number of ids, until the job has ended', async () => {
    const server = await startComplianceServer();
    const job = await server.create('tweets');
    const estimate = async () => {
      const { body } = await server.get(`/2/compliance/jobs/${job.id}`);
      return body.data.estimated_completion as string | undefined;
    };
    await server.upload(
      job,
      Array.from({ length: 9_000 }, (_, n) => String(n + 1)),
    );
    expect(await estimate()).toBe(at(11_000));
    server.advance(MINUTE_MS);
    expect(await estimate()).toBe(at(MINUTE_MS + 11_000));
    await server.runJobs();
    expect(await server.status(job)).toBe('complete');
    expect(await estimate()).toBeUndefined();
  });

  test('without name and resumable returns no name and is not resumable', async () => {
    const server = shared.open();
    const job = await server.create('users');
    expect(job).not.toHaveProperty('name');
    expect(job).toMatchObject({ type: 'users', resumable: false });
  });

  test('accepts a name of at most 1,000 characters', async () => {
    const server = shared.open();
    const ask = (name: string) => server.post('/2/compliance/jobs', { type: 'users', name });
    expect((await ask('😀'.repeat(1_001))).status).toBe(400);
    expect((await ask('😀'.repeat(1_000))).body.data.name).toBe('😀'.repeat(1_000));
  });

  test('requires a type, tweets or users', async () => {
    const server = shared.open();
    expect((await server.post('/2/compliance/jobs', {})).body).toEqual(
      invalidRequest([{ '$.type': [] }, '$.type: is missing but it is required']),
    );
    const bad = await server.post('/2/compliance/jobs', { type: 'posts', resumable: 'yes', x: 1 });
    expect(bad.status).toBe(400);
    expect(bad.body.errors).toHaveLength(3);
  });

  test('returns 409 while a job of the same type and app is created or in progress', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    const again = async () => server.post('/2/compliance/jobs', { type: 'tweets' });
    expect(await again()).toMatchObject({ status: 409, body: CONFLICT });
    await server.create('users');
    expect((await server.post('/2/compliance/jobs', { type: 'tweets' }, OTHER_BEARER)).status).toBe(200);
    await server.upload(job, ['1']);
    expect(await again()).toMatchObject({ status: 409, body: CONFLICT });
    await server.runJobs();
    expect((await again()).status).toBe(200);
    expect(await again()).toMatchObject({ status: 409, body: CONFLICT });
  });

  test('succeeds at the millisecond when the previous job expires', async () => {
    const server = shared.open();
    await server.create('tweets');
    server.advance(15 * MINUTE_MS - 1);
    expect((await server.post('/2/compliance/jobs', { type: 'tweets' })).status).toBe(409);
    server.advance(1);
    await server.create('tweets');
  });

  test('concurrently on two servers with one database creates one job', async () => {
    await using database = await createSharedDatabase({ users: 'this process' });
    const servers = [
      await startComplianceServer({}, database),
      await startComplianceServer({}, database, false),
    ];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, async (_, n) =>
          servers[n % 2]?.app.post('/2/compliance/jobs', servers[0]?.app.bearer, { type: 'tweets' }),
        ),
      );
      expect(answers.map((answer) => answer?.status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      for (const server of servers) server.advance(15 * MINUTE_MS);
    }
    await Promise.all(servers.map((server) => server.app.close()));
  });

  test('requires an app bearer token', async () => {
    const server = shared.open();
    const alice = await server.app.as('alice');
    for (const answer of [
      await server.app.post('/2/compliance/jobs', alice, { type: 'tweets' }),
      await server.app.get('/2/compliance/jobs?type=tweets', alice),
      await server.app.get('/2/compliance/jobs/1', alice),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.body.title).toBe('Unsupported Authentication');
    }
    expect((await server.app.post('/2/compliance/jobs', undefined, { type: 'tweets' })).status).toBe(401);
  });
});

describe('reading one job', () => {
  test('returns a partial error for an unknown job or a job of another app', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    for (const [id, bearer] of [
      ['1', undefined],
      [job.id, OTHER_BEARER],
    ] as const) {
      const answer = await server.get(`/2/compliance/jobs/${id}`, bearer);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        errors: [
          {
            value: id,
            detail: `Could not find compliance_job with id: [${id}].`,
            title: 'Not Found Error',
            resource_type: 'compliance_job',
            parameter: 'id',
            resource_id: id,
            type: `${PROBLEMS}resource-not-found`,
          },
        ],
      });
    }
    expect((await server.get('/2/compliance/jobs/x')).status).toBe(400);
  });

  test('returns all fields regardless of compliance_job.fields', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    const answer = await server.get(`/2/compliance/jobs/${job.id}?compliance_job.fields=status,name`);
    expect(answer.body).toEqual({ data: job });
  });
});

describe('the status of a job', () => {
  test('changes from created to in_progress, to complete, and to expired after 7 days', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    expect(await server.status(job)).toBe('created');
    await server.upload(job, ['1']);
    expect(await server.status(job)).toBe('in_progress');
    server.advance(20 * MINUTE_MS);
    expect(await server.status(job)).toBe('in_progress');
    await server.runJobs();
    expect(await server.status(job)).toBe('complete');
    server.advance(7 * DAY_MS - 20 * MINUTE_MS - 1);
    expect(await server.status(job)).toBe('complete');
    server.advance(1);
    expect(await server.status(job)).toBe('expired');
  });

  test('is expired when no ids are uploaded within 15 minutes', async () => {
    const server = shared.open();
    const job = await server.create('tweets');
    server.advance(15 * MINUTE_MS);
    expect(await server.status(job)).toBe('expired');
  });
});

describe('listing jobs', () => {
  test('returns the jobs of one type and of the app, newest first, including expired ones', async () => {
    const server = await startComplianceServer();
    const first = await completeJob(server);
    server.advance(1000);
    const second = await completeJob(server);
    await server.create('users');
    server.advance(7 * DAY_MS);
    const third = await server.create('tweets');
    expect(await listed(server, 'type=tweets')).toEqual([third.id, second.id, first.id]);
    expect((await server.get('/2/compliance/jobs?type=tweets', OTHER_BEARER)).body).toEqual({
      meta: { result_count: 0 },
    });
  });

  test('filters by status', async () => {
    const server = await startComplianceServer();
    const expired = await completeJob(server);
    server.advance(7 * DAY_MS);
    const complete = await completeJob(server);
    const created = await server.create('tweets');
    const byStatus = async (status: string) => listed(server, `type=tweets&status=${status}`);
    expect(await byStatus('created')).toEqual([created.id]);
    expect(await byStatus('complete')).toEqual([complete.id]);
    expect(await byStatus('expired')).toEqual([expired.id]);
    expect(await byStatus('in_progress')).toEqual([]);
    await server.upload(created, ['1']);
    expect(await byStatus('in_progress')).toEqual([created.id]);
    expect(await byStatus('failed')).toEqual([]);
  });

  test('returns jobs of the last 30 days, before and after the clean-up', async () => {
    const server = await startComplianceServer();
    const job = await completeJob(server);
    server.advance(30 * DAY_MS);
    expect(await listed(server, 'type=tweets')).toEqual([job.id]);
    server.advance(1);
    expect(await listed(server, 'type=tweets')).toEqual([]);
    await server.runJobs();
    expect((await server.get(`/2/compliance/jobs/${job.id}`)).body).toHaveProperty('errors');
  });

  test('requires a type and accepts one value per filter', async () => {
    const server = shared.open();
    expect((await server.get('/2/compliance/jobs')).body).toEqual(
      invalidRequest([{ type: [] }, 'The `type` query parameter can not be empty']),
    );
    for (const query of [
      'type=posts',
      'type=tweets,users',
      'type=tweets&type=users',
      'type=tweets&status=done',
      'type=tweets&status=created,complete',
      'type=tweets&compliance_job.fields=x',
    ]) {
      expect((await server.get(`/2/compliance/jobs?${query}`)).status, query).toBe(400);
    }
  });
});

test('each compliance endpoint allows 150 calls in 15 minutes (docs/api/compliance.md)', () => {
  const limits = endpoints
    .filter(({ path }) => path.startsWith('/2/compliance/'))
    .map(({ rateLimits }) => rateLimits);
  expect(limits).toEqual(Array(3).fill([{ per: 'app', limit: 150 }]));
});
