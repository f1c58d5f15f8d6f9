import { resourceNotFound } from '../../core/errors.js';
import type { DmEventId, MediaId } from '../../core/ids.js';
import { endpoint, userRead } from '../endpoint.js';
import { answerFile, FILE_NAME } from '../media-files.js';
import { idParam, inPath, patternParam } from '../params/params.js';
import { MESSAGE_READS } from './direct-messages.js';

/** See docs/api/messages.md#media. */
export const dmMediaDownload = endpoint({
  operationId: 'dmConversationsMediaDownload',
  tag: 'Direct messages',
  summary: 'A file of the media of a message',
  path: '/2/dm_conversations/media/{dm_id}/{media_id}/{resource_id}',
  access: { ...userRead('dm.read'), permission: 'read_write_dm' },
  rateLimits: MESSAGE_READS,
  params: {
    dm_id: inPath(idParam<DmEventId>('The message.')),
    media_id: inPath(idParam<MediaId>('The number in the media key.')),
    resource_id: inPath(
      patternParam(
        FILE_NAME,
        'The last step of a link to the media.',
        'k2V0a3pGc2xOQkF4Y2RmZ2hqa2xtbnBx.jpg',
      ),
    ),
  },
  file: true,
  handler: async ({ dms, media }, { principal, params, headers }) => {
    const found = await dms.findMedia(principal.userId, params.dm_id);
    if (found?.id !== params.media_id) {
      throw resourceNotFound({ resourceType: 'dm_event', parameter: 'dm_id', value: String(params.dm_id) });
    }
    const file = { id: String(found.id), file: params.resource_id };
    return answerFile(media, file, { method: 'GET', headers });
  },
});
