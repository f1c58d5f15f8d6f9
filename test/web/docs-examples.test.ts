import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import { worldDeps } from '../../src/server/backend.js';
import { loadWorld } from '../../src/world/load-world.js';
import { answerExample } from '../../src/web/docs/answer-example.js';
import { exampleRequest, type ExampleRequest } from '../../src/web/docs/code/example-request.js';
import { LANGUAGES, type Language } from '../../src/web/docs/code/languages.js';
import { png } from '../api/support/media-files.js';
import { startTestApp, type TestApp } from '../support/app.js';

const BASE_URL = "http://127.0.0.1:8080/it's";

/** The well-known credentials of the demo world. */
const SECRETS = {
  BEARER_TOKEN: 'demo-bearer-token',
  OAUTH2_ACCESS_TOKEN: 'demo-maya-token',
  CONSUMER_KEY: 'demo-api-key',
  CONSUMER_SECRET: 'demo-api-secret',
  ACCESS_TOKEN: '11-demo-maya-token',
  ACCESS_TOKEN_SECRET: 'demo-maya-secret',
  CLIENT_ID: 'demo-client-id',
  CLIENT_SECRET: 'demo-client-secret',
};

const codeOf = (language: Language, baseUrl = BASE_URL): [operation: string, code: string][] =>
  endpoints.map((endpoint) => [
    endpoint.operationId,
    LANGUAGES[language].write(exampleRequest(endpoint, { baseUrl })),
  ]);

describe('the example of every endpoint is well-formed', () => {
  test('in the shell', () => {
    const all = codeOf('curl').map(([, code]) => code);
    const { status, stderr } = spawnSync('bash', ['-n'], { input: all.join('\n'), encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('in JavaScript', async () => {
    for (const [operation, code] of codeOf('javascript'))
      await expect(transform(code, { format: 'esm', target: 'node20' }), operation).resolves.toBeDefined();
  });

  test('in Python', () => {
    const program = 'import json, sys\nfor name, code in json.load(sys.stdin): compile(code, name, "exec")';
    const input = JSON.stringify(codeOf('python'));
    const { status, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

test('the answer of every endpoint is one that its schema allows, and is not empty', async () => {
  await using app = await startTestApp({ world: null });
  const document = (await app.get('/2/openapi.json')).body as Record<string, Record<string, unknown>>;
  // Inlined references would repeat each object for each endpoint.
  const ajv = new Ajv({ strict: false, validateFormats: false, inlineRefs: false });
  const shown = endpoints.filter((endpoint) => answerExample(endpoint) !== undefined);
  const examples = Object.fromEntries(
    shown.map((endpoint) => [endpoint.operationId, answerExample(endpoint)]),
  );
  const properties = Object.fromEntries(shown.map(({ operationId, response }) => [operationId, response]));
  const validate = ajv.compile({ type: 'object', properties, components: document['components'] });
  expect([validate(examples), validate.errors]).toEqual([true, null]);
  const empty = Object.entries(examples).filter(([, example]) => JSON.stringify(example).length < 10);
  expect(empty).toEqual([]);
});

describe('examples run, against a server with the demo world', () => {
  let app: TestApp;
  let baseUrl: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pipit-examples-'));
    await writeFile(join(folder, 'picture.png'), await png());
    const file = join(import.meta.dirname, '..', '..', 'examples', 'demo.json');
    app = await startTestApp({ world: null });
    const { backend, writer, media } = app.pipit;
    await loadWorld(worldDeps(backend, writer, media.blobs), JSON.parse(await readFile(file, 'utf8')));
    baseUrl = await app.listen();
  });
  afterAll(async () => {
    await app?.close();
    await rm(folder, { recursive: true });
  });

  const run = async (language: Language, request: ExampleRequest): Promise<string> => {
    const code = LANGUAGES[language].write(request);
    const programs: Record<Language, [string, string[]]> = {
      curl: ['bash', ['-c', code]],
      javascript: [process.execPath, ['--input-type=module', '-e', code]],
      python: ['python3', ['-c', code]],
    };
    const [program, args] = programs[language];
    return new Promise((resolve, reject) => {
      const env = { PATH: process.env['PATH'], ...SECRETS };
      execFile(program, args, { cwd: folder, env }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
  };
  const exampleOf = (operation: string): ExampleRequest => {
    const endpoint = endpoints.find(({ operationId }) => operationId === operation);
    if (!endpoint) throw new Error(`no ${operation}`);
    return exampleRequest(endpoint, { baseUrl, ownId: '11' });
  };
  /** A text of its own for each language: a post is not written twice. */
  const written = (operation: string, language: Language): ExampleRequest => {
    const request = exampleOf(operation);
    const text = `It's "an example" in ${language} & <more>: 100 %`;
    if (request.body?.kind === 'json') return { ...request, body: { kind: 'json', value: { text } } };
    return { ...request, body: { kind: 'form', fields: [['status', `${text}, signed`]] } };
  };

  test.each(Object.keys(LANGUAGES) as Language[])(
    'in %s',
    async (language) => {
      const outputs = await Promise.all([
        run(language, { ...exampleOf('tweetsRecentSearch'), query: [['query', 'ferry -is:retweet']] }),
        run(language, written('createTweet', language)),
        run(language, written('updateStatusV1', language)),
        run(language, exampleOf('mediaUpload')),
        run(language, {
          ...exampleOf('getInstance'),
          method: 'POST',
          url: `${baseUrl}/oauth2/token`,
          credential: 'keys',
          body: { kind: 'form', fields: [['grant_type', 'client_credentials']] },
        }),
      ]);
      const expected = [/data/, /an example/, /an example/, /media_key/, /demo-bearer-token/];
      outputs.forEach((output, index) => expect(output).toMatch(expected[index] ?? /^$/));
      const posts = await app.get('/2/users/11/tweets', SECRETS.BEARER_TOKEN);
      const texts = posts.body.data.map(({ text }: { text: string }) => text);
      const text = `It's "an example" in ${language} &amp; &lt;more&gt;: 100 %`;
      expect(texts).toEqual(expect.arrayContaining([text, `${text}, signed`]));
    },
    90_000,
  );
});
