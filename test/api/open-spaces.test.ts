import { expect, test } from 'vitest';
import { startNetwork } from './support/network.js';
import { idsIn } from './support/pages.js';

/** The open Spaces of all users (docs/api/pipit.md#open-spaces). */

test('open Spaces are the live ones by participants, then the scheduled ones by start, as the viewer may see them', async () => {
  const network = await startNetwork({
    users: [{ username: 'erin', protected: true }],
    spaces: [
      { id: 'small', creator: 'alice', title: '🎵', state: 'live', participant_count: 3 },
      { id: 'large', creator: 'bob', title: 'Large', state: 'live', participant_count: 30 },
      {
        id: 'late',
        creator: 'bob',
        title: 'Late',
        state: 'scheduled',
        scheduled_start: '2099-01-02T00:00:00Z',
      },
      {
        id: 'soon',
        creator: 'bob',
        title: 'Soon',
        state: 'scheduled',
        scheduled_start: '2099-01-01T00:00:00Z',
      },
      { id: 'hers', creator: 'erin', title: 'Hers', state: 'live' },
      { id: 'old', creator: 'alice', title: 'Old birds', state: 'ended' },
    ],
  });
  const read = async (query = '') => idsIn(await network.app.get(`/_pipit/spaces${query}`));
  expect(await read()).toEqual(['large', 'small', 'soon', 'late']);
  expect(await read('?state=live')).toEqual(['large', 'small']);
  expect(await read('?state=scheduled&max_results=1')).toEqual(['soon']);
  expect(idsIn(await network.as('erin').get('/_pipit/spaces'))).toContain('hers');
  await network.as('bob').post('/_pipit/spaces/soon/start', undefined);
  await network.as('bob').post('/_pipit/spaces/large/end', undefined);
  expect(await read('?state=live')).toEqual(['small', 'soon']);
  expect((await network.app.get('/_pipit/spaces?state=ended')).status).toBe(400);
});
