import { expect, test } from 'vitest';
import { startTestApp } from '../support/app.js';
import { POSTS } from '../support/world.js';
import { openBrowser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** What /explore shows to visitors and members, and the search of people. */

test('without trends there are the newest posts, and people to follow', async () => {
  await using app = await startTestApp({ world: webWorld() });
  const [visitor, bob] = [openBrowser(app), openBrowser(app)];
  const page = await visitor.get('/explore');
  expectValidPage(page, 'explore');
  expect(textOf(page)).toMatch(/Newest posts.*Look at this.*Hello from the pond/);
  expect(page.text).not.toMatch(/Nobody but followers|Good morning|id="people"/);
  expect(page.text).toContain(`before=${POSTS.hello}`);
  expect(textOf(await visitor.get(`/explore?before=${POSTS.hello}`))).toContain('No older posts.');
  await bob.signIn('bob', PASSWORDS.bob);
  expect(textOf(await bob.get('/explore'))).toContain('People to follow');
  await app.post('/2/tweets', await app.as('alice'), { text: 'A tide #spring' });
  expect(textOf(await visitor.get('/search?q=ali&f=people'))).toContain('@alice');
});

test('trends come first, and posts about them', async () => {
  await using app = await startTestApp({ world: webWorld() });
  await app.post('/2/tweets', await app.as('alice'), { text: 'A tide #spring' });
  const page = await openBrowser(app).get('/explore');
  expect(textOf(page)).toMatch(/Trends.*#spring.*Posts about them/);
});

test('a server without posts says so', async () => {
  await using app = await startTestApp({ world: { ...webWorld(), posts: [], likes: [], bookmarks: [] } });
  expect(textOf(await openBrowser(app).get('/explore'))).toContain('Nobody has posted yet.');
});
