import { expect, test } from 'vitest';
import { hideInBaseString } from './hide.js';

test('a base string keeps identifying parameters and hides secrets that a client signed by mistake', () => {
  const kept = 'oauth_consumer_key=key&oauth_nonce=n&oauth_timestamp=1&user_id=7';
  const sent = `${kept}&oauth_token_secret=s1&oauth_consumer_secret=s2&oauth_verifier=s3&oauth_session_handle=s4&password=s5`;
  const shown = { declared: new Set<string>(), others: true };
  const logged = hideInBaseString(`POST&http%3A%2F%2Fx&${encodeURIComponent(sent)}`, shown);
  expect(decodeURIComponent(logged)).toBe(
    `POST&http://x&${kept}&oauth_token_secret=HIDDEN&oauth_consumer_secret=HIDDEN&oauth_verifier=HIDDEN&oauth_session_handle=HIDDEN&password=HIDDEN`,
  );
});
