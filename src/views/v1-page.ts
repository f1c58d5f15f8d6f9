import type { PostId, UserId } from '../core/ids.js';
import { userVisibility, type Visibility } from '../core/visibility.js';
import { ObjectSet } from './hydrate/objects.js';
import { isIncluded, type Excludable } from './page-rules.js';
import type { ViewDeps } from './post-page.js';
import { findPostV1, findUserV1, type LookV1 } from './v1/find-post.js';
import { presentPostV1, type PostFormV1, type StatusV1 } from './v1/post.js';
import type { UserV1 } from './v1/user.js';

/** The viewer of objects of v1.1 (docs/api/v1.md). */
interface ViewerV1 {
  readonly viewerId: UserId | undefined;
}

interface StatusPageRequest extends ViewerV1 {
  readonly ids: readonly PostId[];
  readonly form: PostFormV1;
  readonly exclude?: ReadonlySet<Excludable>;
  /** If true, shows only posts of the viewer's home timeline. */
  readonly isHome?: boolean;
}

/** Returns the posts of a page that the viewer may see, in the v1.1 format, newest version each. */
export function viewStatuses(deps: ViewDeps, request: StatusPageRequest): Promise<StatusV1[]> {
  const { ids, viewerId, form, exclude, isHome = false } = request;
  const objects = new ObjectSet(deps.reads, viewerId);
  return objects.complete(() =>
    ids.flatMap((id) => {
      const post = objects.findNewest(id);
      if (!post || (exclude && !isIncluded(post, exclude))) return [];
      const parts = findPostV1(objects, post.id, lookOf(deps, viewerId));
      if (!parts || (isHome && !objects.belongsHome(objects.originOf(post)))) return [];
      return [presentPostV1(parts, form)];
    }),
  );
}

/** A post as a viewer finds it. */
export interface FoundStatus {
  /** Undefined if there is no such post. */
  readonly visibility: Visibility | undefined;
  readonly authorId?: UserId;
  /** Present if the viewer may see the post. */
  readonly status?: StatusV1;
}

/** Looks one post up. */
export function viewStatus(
  deps: ViewDeps,
  { id, viewerId, form }: ViewerV1 & { readonly id: PostId; readonly form: PostFormV1 },
): Promise<FoundStatus> {
  const objects = new ObjectSet(deps.reads, viewerId);
  return objects.complete((): FoundStatus => {
    const post = objects.find(id);
    if (!post) return { visibility: undefined };
    const parts = findPostV1(objects, id, lookOf(deps, viewerId));
    const status = parts && presentPostV1(parts, form);
    return { visibility: objects.visibility(post), authorId: post.authorId, status };
  });
}

/** A user as a viewer finds it. */
export interface FoundUser {
  /** Undefined if there is no such user. */
  readonly visibility: Visibility | undefined;
  /** Whether the viewer may see what the user does: posts, follows. */
  readonly activity?: Visibility;
  readonly id?: UserId;
  /** Present if the viewer may see the user. */
  readonly user?: UserV1;
}

/** Looks users up by id or username, in the order of `names`. */
export function viewUsersV1(
  deps: ViewDeps,
  { names, viewerId }: ViewerV1 & { readonly names: readonly (UserId | string)[] },
): Promise<FoundUser[]> {
  const objects = new ObjectSet(deps.reads, viewerId);
  return objects.complete(() => names.map((name) => findUser(deps, objects, name)));
}

function findUser(deps: ViewDeps, objects: ObjectSet, name: UserId | string): FoundUser {
  const stored = objects.findUser(name);
  if (!stored) return { visibility: undefined };
  const { id } = stored;
  const visibility = userVisibility(stored);
  const user = visibility === 'visible' ? findUserV1(objects, id, lookOf(deps, objects.viewerId)) : undefined;
  return { visibility, activity: objects.activityOf(id), id, user };
}

/** Returns the users that a list may name: those who are stored and not suspended. */
export function viewUserIds(
  { reads }: ViewDeps,
  { ids, viewerId }: ViewerV1 & { readonly ids: readonly UserId[] },
): Promise<UserId[]> {
  const objects = new ObjectSet(reads, viewerId);
  return objects.complete(() =>
    ids.filter((id) => {
      const user = objects.users.find(id);
      return user !== undefined && userVisibility(user) === 'visible';
    }),
  );
}

function lookOf({ publicUrl }: ViewDeps, viewerId: UserId | undefined): LookV1 {
  return { publicUrl, withActs: viewerId !== undefined };
}
