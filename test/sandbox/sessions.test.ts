import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

describe('POST /sessions', () => {
  let sandbox: TestSandbox;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('signs a user in to the pages, without a password', async () => {
    const { status, body } = await sandbox.control('POST', '/sessions', { username: '@alice' });
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        user: { id: expect.any(String), username: 'alice' },
        cookie: expect.stringMatching(/^pipit_session=\S+$/),
      },
    });
    const page = await fetch(`${sandbox.url}/my-account`, { headers: { cookie: body.data.cookie } });
    expect(await page.text()).toContain('@alice');
  });

  test.each([{ username: 'nobody' }, { username: '' }, {}, { username: 'alice', password: 'x' }])(
    'refuses %j',
    async (body) => {
      expect((await sandbox.control('POST', '/sessions', body)).status).toBe(400);
    },
  );
});
