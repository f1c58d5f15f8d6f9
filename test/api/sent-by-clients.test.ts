import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encode, signedParameters, type Signing } from '../auth/support/sign.js';
import { TEST_URL } from '../support/app.js';
import { png } from './support/media-files.js';
import { openUploads, type Uploads } from './support/uploads.js';

/** Requests of published clients that deviate from the standards. */

const NOW_SECONDS = Date.UTC(2022, 9, 7, 22, 42, 12) / 1000;
const FORM_TYPE = 'application/x-www-form-urlencoded';

let app: Uploads;
let keys: Pick<Signing, 'consumerKey' | 'consumerSecret' | 'token' | 'tokenSecret'>;
let userToken: string;
let nonce = 0;

beforeAll(async () => {
  app = await openUploads();
  const { appKey, appSecret, accessToken, accessSecret } = await app.oauth1('alice');
  keys = {
    consumerKey: appKey,
    consumerSecret: appSecret,
    token: accessToken,
    tokenSecret: accessSecret,
  };
  userToken = await app.as('alice');
});
afterAll(() => app.close());

/** Returns the protocol parameters of a signed request, encoded for a query or form. */
function protocolPairs(method: string, url: string, form?: string): string {
  nonce += 1;
  const signing = { method, url: TEST_URL + url, form, ...keys, timestampSeconds: NOW_SECONDS };
  const parameters = signedParameters({ ...signing, nonce: `n${nonce}`, version: '1.0A' });
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');
}

const inQuery = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  app.request({
    method,
    url: `${url}${url.includes('?') ? '&' : '?'}${protocolPairs(method, url)}`,
    payload,
  });

describe('OAuth 1.0a parameters in the query', () => {
  it('authenticate on paths of version 2', async () => {
    const me = await inQuery('GET', '/2/users/me?user.fields=created_at');
    expect([me.status, me.body.data?.username]).toEqual([200, 'alice']);
    const posted = await inQuery('POST', '/2/tweets', { text: 'signed in the query' });
    expect(posted.status).toBe(201);
    const deleted = await inQuery('DELETE', `/2/tweets/${posted.body.data.id}`);
    expect(deleted).toMatchObject({ status: 200, body: { data: { deleted: true } } });
  });

  it('authenticate on paths of version 1.1', async () => {
    const answer = await inQuery(
      'POST',
      '/1.1/media/upload.json?command=INIT&total_bytes=5&media_type=image%2Fpng',
    );
    expect(answer.status).toBe(202);
    expect((await inQuery('GET', '/1.1/account/verify_credentials.json')).status).toBe(200);
  });

  it('do not hide unknown parameters, and are unknown without a signature', async () => {
    expect((await inQuery('GET', '/2/users/me?unknown=1')).status).toBe(400);
    expect((await app.get('/2/users/me?oauth_nonce=1', userToken)).status).toBe(400);
  });
});

it('OAuth 1.0a parameters in a form authenticate', async () => {
  const url = '/1.1/media/upload.json';
  const form = 'command=INIT&total_bytes=5&media_type=image%2Fpng';
  const payload = `${form}&${protocolPairs('POST', url, form)}`;
  const headers = { 'content-type': FORM_TYPE };
  expect((await app.request({ method: 'POST', url, headers, payload })).status).toBe(202);
});

describe('times', () => {
  const path = (start: string) => `/2/tweets/search/recent?query=hello&start_time=${start}`;

  it.each(['2022-10-07T00:00:00%2B00:00', '2022-10-06T18:30:00-05:30', '2022-10-07T00:00:00z'])(
    'are accepted as %s',
    async (start) => {
      expect((await app.get(path(start), app.bearer)).status).toBe(200);
    },
  );

  it('are equal instants, whatever their offset', async () => {
    const posted = await app.post('/2/tweets', userToken, { text: 'at the instant' });
    const { body } = await app.get('/2/users/me', userToken);
    const idsFrom = async (start: string) => {
      const url = `/2/users/${body.data.id}/tweets?start_time=${encodeURIComponent(start)}`;
      return ((await app.get(url, userToken)).body.data ?? []).map(({ id }: { id: string }) => id);
    };
    expect(await idsFrom('2022-10-08T04:12:12+05:30')).toContain(posted.body.data.id);
    expect(await idsFrom('2022-10-07T17:12:13-05:30')).not.toContain(posted.body.data.id);
  });
});

it('a comma between multipart/form-data and its boundary is accepted as a semicolon', async () => {
  const payload = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="media"; filename="a.png"\r\n\r\n'),
    await png(4, 4),
    Buffer.from('\r\n--b--\r\n'),
  ]);
  const url = '/1.1/media/upload.json';
  const headers = { ...(await app.signed('POST', url)), 'content-type': 'multipart/form-data, boundary=b' };
  expect((await app.request({ method: 'POST', url, headers, payload })).status).toBe(200);
});
