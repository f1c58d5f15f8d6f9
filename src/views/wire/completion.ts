import { count, id, oneOf, text, url } from '../../core/json-schema.js';
import type { User } from '../../core/user.js';
import { byDefault, required, type Fields } from './field.js';

/** A user or a hashtag whose name begins as typed. */
export type Completion =
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'hashtag'; readonly tag: string; readonly posts: number };

const userOf = (completion: Completion): User | undefined =>
  completion.kind === 'user' ? completion.user : undefined;

/** A completion (docs/api/pipit.md#completions). */
export const completionFields = {
  kind: required(oneOf('user', 'hashtag'), ({ kind }) => kind),
  id: byDefault(id, (completion) => userOf(completion)?.id.toString()),
  username: byDefault(text, (completion) => userOf(completion)?.username),
  name: byDefault(text, (completion) => userOf(completion)?.name),
  profile_image_url: byDefault(url, (completion) => userOf(completion)?.profileImageUrl),
  tag: byDefault(text, (completion) => (completion.kind === 'hashtag' ? completion.tag : undefined)),
  count: byDefault(count, (completion) => (completion.kind === 'hashtag' ? completion.posts : undefined)),
} satisfies Fields<Completion>;
