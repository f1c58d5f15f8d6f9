import { defaultPictureUrl } from '../../core/default-picture.js';
import type { UrlEntity } from '../../core/entities.js';
import { count, flag, id, listOf, nullable, object, schemaOf, text } from '../../core/json-schema.js';
import type { ValueOf } from '../../core/json-schema.js';
import type { UserId } from '../../core/ids.js';
import type { User, UserCounts } from '../../core/user.js';
import { presentDateV1 } from './date.js';
import { presentLinkV1 } from './entities.js';
import type { ExactJson } from '../../core/exact-json.js';
import { presenter } from '../wire/presenter.js';
import type { UserRelation } from '../wire/user.js';
import { byDefault, required, unshown, type Fields } from '../wire/field.js';

/** What is loaded beside a user. */
export interface UserV1Extras {
  readonly counts: UserCounts | undefined;
  readonly likes: number;
  readonly publicUrl: string;
  /** The relation of the viewer to the user, if that is shown. */
  readonly relation?: Pick<UserRelation, 'following' | 'followRequestSent'>;
}

const link = object({ url: text, expanded_url: text, display_url: text, indices: listOf(count) });
const links = object({ urls: listOf(link) });
const entities = object({ url: links, description: links });
const date = schemaOf('string', { example: 'Wed Oct 10 20:19:24 +0000 2018' });

/** A user in the v1.1 format. `presentUserV1` adds the number `id`, which JSON.stringify cannot write exactly. */
export const userV1Fields = {
  id: { ...unshown(schemaOf('integer')), shown: 'always' },
  id_str: required(id, (user) => String(user.id)),
  name: required(text, ({ name }) => name),
  screen_name: required(text, ({ username }) => username),
  location: byDefault(text, ({ location }) => location ?? ''),
  description: byDefault(text, ({ description }) => description),
  url: byDefault(nullable(text), ({ url }) => url ?? null),
  entities: byDefault(entities, entitiesOf),
  protected: byDefault(flag, (user) => user.protected),
  verified: byDefault(flag, ({ verified }) => verified),
  followers_count: byDefault(count, (_, { counts }) => counts?.followers ?? 0),
  friends_count: byDefault(count, (_, { counts }) => counts?.following ?? 0),
  listed_count: byDefault(count, (_, { counts }) => counts?.listed ?? 0),
  favourites_count: byDefault(count, (_, { likes }) => likes),
  statuses_count: byDefault(count, (_, { counts }) => counts?.posts ?? 0),
  created_at: required(date, ({ createdAtMs }) => presentDateV1(createdAtMs)),
  lang: byDefault(nullable(text), () => null),
  geo_enabled: byDefault(flag, () => false),
  contributors_enabled: byDefault(flag, () => false),
  is_translator: byDefault(flag, () => false),
  default_profile: byDefault(flag, () => true),
  default_profile_image: byDefault(flag, ({ profileImageUrl }) => profileImageUrl === undefined),
  profile_image_url: byDefault(text, pictureOf),
  profile_image_url_https: byDefault(text, pictureOf),
  profile_banner_url: byDefault(text, ({ profileBannerUrl }) => profileBannerUrl),
  following: byDefault(flag, (_, { relation }) => relation?.following),
  follow_request_sent: byDefault(flag, (_, { relation }) => relation?.followRequestSent),
  suspended: byDefault(flag, ({ suspended }) => suspended),
} satisfies Fields<User, UserV1Extras>;

function pictureOf(user: User, { publicUrl }: UserV1Extras): string {
  return user.profileImageUrl ?? defaultPictureUrl(publicUrl, user);
}

function entitiesOf({ entities: stored }: User): ValueOf<typeof entities> {
  const urls = stored?.url?.urls;
  return {
    url: urls && { urls: urlsOf(urls) },
    description: { urls: urlsOf(stored?.description?.urls) },
  };
}

function urlsOf(urls: readonly UrlEntity[] = []): ValueOf<typeof link>[] {
  return urls.map(presentLinkV1);
}

const presentMembers = presenter(userV1Fields, new Set());

/** A user in the v1.1 format, for `writeExactJson`. */
export type UserV1 = Readonly<Record<string, ExactJson>> & { readonly id: UserId };

/** Returns a user in the v1.1 format with the number `id`. */
export function presentUserV1(user: User, extras: UserV1Extras): UserV1 {
  return { id: user.id, ...(presentMembers(user, extras) as unknown as Readonly<Record<string, ExactJson>>) };
}
