import { stat } from 'node:fs/promises';
import type { UserPrincipal } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import type { MediaId, UserId } from '../../core/ids.js';
import { MAX_PHOTO_BYTES } from '../../core/limits.js';
import { UPLOAD_LIFE_MS } from '../../core/media.js';
import {
  PICTURE_RULES,
  pictureKeyOf,
  shownPictureUrl,
  sizedName,
  type PictureKind,
} from '../../core/profile-picture.js';
import type { User } from '../../core/user.js';
import type { Tx } from '../../database/engine.js';
import { attachToProfile, detachMedia, insertMedia } from '../../stores/media.js';
import { deleteMedia } from '../../stores/media-uploads.js';
import { reserveBytes } from '../../stores/media-usage.js';
import { setPicture } from '../../stores/users.js';
import { lockActiveAccount } from '../accounts/authority.js';
import type { ServiceDeps } from '../service-deps.js';
import { newBlobName, withDrafts, type Draft } from './draft.js';
import type { FinishDeps } from './finish-upload.js';
import { MediaRefused } from './media-refused.js';
import type { Rectangle, Size } from './picture-sizes.js';
import { detectPhoto } from './prepare-media.js';
import { quotaExceeded } from './upload-rules.js';

interface PictureDeps extends FinishDeps, ServiceDeps {
  /** The maximum total size of a user's media on disk. */
  readonly quotaBytes: number;
}

/** A picture to show on a profile. */
export interface PictureOrder {
  readonly kind: PictureKind;
  /** The name of the file in the request, for faults. */
  readonly parameter: string;
  readonly file: Pick<Draft, 'file' | 'sizeBytes'>;
  /** The part to show, in pixels of the upright picture; its middle by default. */
  readonly part?: Rectangle;
}

/** Creates the part of the media service that keeps the pictures and banners of profiles (docs/design/media.md#profiles). */
export function createProfilePictures(deps: PictureDeps) {
  return {
    /**
     * Shows a picture on the user's profile in place of the one before. Throws 'invalid-request' for a file that is no
     * picture or too large and for a part outside of it, 'forbidden' above the quota and for a hidden account.
     */
    change: (principal: UserPrincipal, order: PictureOrder) => changePicture(deps, principal.userId, order),
    /** Removes a picture; a profile without one stays as it is. Throws 'forbidden' for a hidden account. */
    remove: ({ userId }: UserPrincipal, kind: PictureKind) =>
      deps.engine.tx('remove profile picture', async (tx) => {
        const user = await lockActiveAccount(tx, userId);
        await setPicture(tx, user, kind, {});
        await detachPicture(tx, user, kind);
      }),
  };
}

/** Detaches the media of a user's picture or banner, so that housekeeping deletes their files. */
export async function detachPicture(tx: Tx, user: User, kind: PictureKind): Promise<void> {
  const id = kind === 'picture' ? user.profileImageId : user.profileBannerId;
  if (id !== undefined) await detachMedia(tx, id, user.id);
}

/** The files of a picture, not stored yet, by the names under which they will be. */
interface Cut extends Size {
  readonly files: ReadonlyMap<string, string>;
  /** The name of the main file. */
  readonly main: string;
  readonly sizeBytes: number;
}

async function changePicture(deps: PictureDeps, userId: UserId, order: PictureOrder): Promise<void> {
  const { engine, ids, blobs } = deps;
  const id = ids.next<MediaId>();
  await withDrafts(blobs, async (newFile) => {
    const cut = await deps.turns(userId, () => cutPicture(deps, id, order, newFile));
    await begin(deps, id, userId, order.kind, cut);
    try {
      for (const [name, file] of cut.files) await blobs.put(name, file);
      await engine.tx('change profile picture', (tx) => show(tx, deps, { id, userId, order, cut }));
    } catch (error) {
      // Media that cannot be deleted now expire, as after a crash.
      await giveUp(deps, id).catch(() => undefined);
      throw error;
    }
  });
}

async function giveUp({ engine, blobs }: PictureDeps, id: MediaId): Promise<void> {
  await blobs.deleteFolder(String(id));
  await engine.tx('give up profile picture', (tx) => deleteMedia(tx, [id]));
}

/** Writes the files of a picture in all sizes. Throws 'invalid-request' for a file that cannot be shown. */
async function cutPicture(
  { images }: PictureDeps,
  id: MediaId,
  { kind, parameter, file: { file, sizeBytes }, part }: PictureOrder,
  newFile: () => Promise<string>,
): Promise<Cut> {
  if (sizeBytes === 0) throw invalidRequest(parameter, [], 'The picture is empty.');
  if (sizeBytes > MAX_PHOTO_BYTES)
    throw invalidRequest(parameter, [], `File size exceeds ${MAX_PHOTO_BYTES} bytes.`);
  const { main, enlarges, sizes } = PICTURE_RULES[kind];
  const drafts = new Map<string, string>();
  for (const size of Object.keys(sizes)) drafts.set(size, await newFile());
  const mainDraft = await newFile();
  const outputOf = (size: string): string => drafts.get(size) ?? '';
  try {
    const { width, height, written } = await images.writeSizes({
      file,
      format: await detectPhoto(file),
      part,
      main: { ...main, output: mainDraft, enlarges },
      others: Object.entries(sizes).map(([size, frame]) => ({ ...frame, output: outputOf(size) })),
      // The addresses of banners do not name a format.
      keepsTransparency: kind === 'picture',
    });
    const name = newBlobName(id, written === 'png' ? 'png' : 'jpg');
    const files = new Map([[name, mainDraft]]);
    for (const [size, draft] of drafts) files.set(sizedName(name, size), draft);
    const bytes = await Promise.all([...files.values()].map(async (each) => (await stat(each)).size));
    return { width, height, files, main: name, sizeBytes: bytes.reduce((sum, size) => sum + size, 0) };
  } catch (error) {
    if (error instanceof MediaRefused) throw invalidRequest(parameter, [], error.message);
    throw error;
  }
}

/** Stores the media without their files. Throws 'forbidden' above the quota. */
async function begin(
  { engine, clock, publicUrl, quotaBytes }: PictureDeps,
  id: MediaId,
  ownerId: UserId,
  kind: PictureKind,
  { width, height, main, sizeBytes }: Cut,
): Promise<void> {
  await engine.tx(
    'begin profile picture',
    async (tx) => {
      if (!(await reserveBytes(tx, { id, ownerId, sizeBytes }, quotaBytes))) throw quotaExceeded(quotaBytes);
      await insertMedia(tx, {
        id,
        mediaKey: pictureKeyOf(kind, id),
        type: 'photo',
        ownerId,
        url: `${publicUrl}/media/${main}`,
        width,
        height,
        createdAtMs: clock(),
        expiresAtMs: clock() + UPLOAD_LIFE_MS,
      });
    },
    'read-committed',
  );
}

interface Shown {
  readonly id: MediaId;
  readonly userId: UserId;
  readonly order: PictureOrder;
  readonly cut: Cut;
}

async function show(
  tx: Tx,
  { publicUrl }: Pick<PictureDeps, 'publicUrl'>,
  { id, userId, order: { kind }, cut }: Shown,
): Promise<void> {
  const user = await lockActiveAccount(tx, userId);
  if (!(await attachToProfile(tx, id, userId))) throw new Error(`profile picture ${id} is gone`);
  await setPicture(tx, user, kind, { id, url: shownPictureUrl(kind, `${publicUrl}/media/${cut.main}`) });
  await detachPicture(tx, user, kind);
}
