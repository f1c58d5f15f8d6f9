import type { UrlEntity } from '../../core/entities.js';
import { defaultPictureUrl } from '../../core/default-picture.js';
import type { User, UserCounts } from '../../core/user.js';

/** A user in the shape of the earlier interface, without the number `id`, which has more digits than JSON.stringify has. */
export function presentUserV1(
  user: User,
  counts: UserCounts | undefined,
  likes: number,
  publicUrl: string,
): Record<string, unknown> {
  const picture = user.profileImageUrl ?? defaultPictureUrl(publicUrl, user);
  return {
    id_str: String(user.id),
    name: user.name,
    screen_name: user.username,
    location: user.location ?? '',
    description: user.description,
    url: user.url ?? null,
    entities: entitiesOf(user),
    protected: user.protected,
    verified: user.verified,
    followers_count: counts?.followers ?? 0,
    friends_count: counts?.following ?? 0,
    listed_count: counts?.listed ?? 0,
    favourites_count: likes,
    statuses_count: counts?.posts ?? 0,
    created_at: presentDateV1(user.createdAtMs),
    lang: null,
    geo_enabled: false,
    contributors_enabled: false,
    is_translator: false,
    default_profile: true,
    default_profile_image: user.profileImageUrl === undefined,
    profile_image_url: picture,
    profile_image_url_https: picture,
    suspended: user.suspended,
  };
}

function entitiesOf({ entities }: User): Record<string, unknown> {
  const link = entities?.url?.urls;
  return {
    ...(link && { url: { urls: urlsOf(link) } }),
    description: { urls: urlsOf(entities?.description?.urls) },
  };
}

function urlsOf(urls: readonly UrlEntity[] = []): Record<string, unknown>[] {
  return urls.map(({ url, expanded_url, display_url, start, end }) => ({
    url,
    expanded_url,
    display_url,
    indices: [start, end],
  }));
}

/** As `Wed Oct 10 20:19:24 +0000 2018`. */
function presentDateV1(timeMs: number): string {
  const [day, date, month, year, time] = new Date(timeMs).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${date} ${time} +0000 ${year}`;
}
