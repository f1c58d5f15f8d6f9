import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsentServer, type ConsentServer } from '../web/support/consent-server.js';
import { pythonWith } from '../support/python.js';
import { runFlows } from '../web/support/python-flows.js';

/** Debian’s unmodified requests-oauthlib, which the original platform’s Python samples use to sign in. */

const python = pythonWith('requests_oauthlib');

describe.skipIf(python === undefined)(
  'requests-oauthlib (skipped where `import requests_oauthlib` fails)',
  () => {
    let consentServer: ConsentServer;

    beforeAll(async () => {
      consentServer = await startConsentServer();
    });
    afterAll(() => consentServer[Symbol.asyncDispose]());

    test('completes the flows of the samples: without a callback, signed in the query, with a short verifier', async () => {
      const script = join(import.meta.dirname, 'requests_oauthlib_flows.py');
      expect(await runFlows(String(python), script, consentServer)).toEqual({
        callbackInQuery: 'alice',
        noCallback: 'alice',
        signedInQuery: 'alice',
        shortVerifier: 'alice',
      });
    });
  },
);
