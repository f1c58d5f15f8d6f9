import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConsentDesk, type ConsentDesk } from '../web/support/consent-desk.js';
import { pythonWith, runFlows } from '../web/support/python-flows.js';

/** Debian's requests-oauthlib, unmodified, with which the original's Python samples sign in. */

const python = pythonWith('requests_oauthlib');

describe.skipIf(python === undefined)(
  'requests-oauthlib (skipped where `import requests_oauthlib` fails)',
  () => {
    let desk: ConsentDesk;

    beforeAll(async () => {
      desk = await openConsentDesk();
    });
    afterAll(() => desk[Symbol.asyncDispose]());

    test('goes through the flows of the samples: without a callback, signed in the query, with a short verifier', async () => {
      const script = join(import.meta.dirname, 'requests_oauthlib_flows.py');
      expect(await runFlows(String(python), script, desk)).toEqual({
        callbackInQuery: 'alice',
        noCallback: 'alice',
        signedInQuery: 'alice',
        shortVerifier: 'alice',
      });
    });
  },
);
