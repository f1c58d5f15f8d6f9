import type { UserPrincipal } from '../core/access.js';
import { PipitError } from '../core/errors.js';
import type { AppId, MediaId, PostId, UserId } from '../core/ids.js';
import { createWriter, worldDeps, type Backend } from '../server/backend.js';
import { createPostService } from '../services/posts/posts.js';
import { createRepostService } from '../services/posts/reposts.js';
import { WorldRefused } from '../world/faults.js';
import { loadWorld } from '../world/load-world.js';
import { ReplayRefused, type ReplayTarget } from './replay-target.js';

/** Opens the database of a server, which need not run, for replaying. An author may repeat a text. */
export async function createDatabaseTarget(backend: Backend, publicUrl: string): Promise<ReplayTarget> {
  const writer = await createWriter(backend, publicUrl);
  const posts = createPostService({ ...backend, writer, publicUrl, allowsRepeats: true });
  const reposts = createRepostService({ ...backend, writer });
  return {
    add: async (entries) => {
      try {
        await loadWorld(worldDeps(backend, writer), entries);
        return true;
      } catch (error) {
        if (error instanceof WorldRefused) return false;
        throw error;
      }
    },
    post: (authorId, { text, source, inReplyToId, quotedId, poll, mediaIds, placeId }) =>
      refusing(async () => {
        const created = await posts.create(principalOf(authorId, source), {
          text,
          inReplyToPostId: idOf(inReplyToId),
          typedHandlesOnly: true,
          quotedPostId: idOf(quotedId),
          poll,
          mediaIds: mediaIds?.map((id) => BigInt(id) as MediaId),
          placeId,
        });
        return String(created.id);
      }),
    repost: (authorId, postId) =>
      refusing(() => reposts.repost(principalOf(authorId, undefined), BigInt(postId) as PostId)),
  };
}

function idOf(id: string | undefined): PostId | undefined {
  return id === undefined ? undefined : (BigInt(id) as PostId);
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PipitError ? new ReplayRefused(error.message) : error;
  }
}

/** Acts for an author; the app is only the name that posts show as their source. */
function principalOf(userId: string, source: string | undefined): UserPrincipal {
  const app = {
    id: 0n as AppId,
    name: source || 'Pipit replay',
    clientId: '',
    accessLevel: 'elevated',
    track: 'standard',
    permissions: 'read_write',
  } as const;
  return {
    context: 'oauth2',
    app,
    userId: BigInt(userId) as UserId,
    permission: 'read_write',
    scopes: new Set(),
  };
}
