/**
 * The endpoints of the 2022 API as an independent copy, compared with the catalogue. Newer parameters of the
 * catalogue are never required. Columns: endpoint; callers (user: users only, any: users and apps, app: apps only);
 * query; body in flat names (docs/api/requests.md#bodies); notes (own: the first id of the path is the caller’s, cap:
 * posts count toward the project’s cap, research: that track only, one: exactly one of the lists). Query: `P`, `U`,
 * `L`, `S`, `D` are the field selections of GROUPS; `page:1..100=100` is max_results with minimum, maximum and
 * default, plus pagination_token; `results:` is max_results only; `ids<=100` is a list with its maximum length;
 * `name(a,b)=a` is a choice with its default. Body: the type of the value with its maximum length. `!` marks required
 * ones.
 */
const TABLE = `
  # Bookmarks
  DELETE /2/users/{id}/bookmarks/{tweet_id}                   | user | | | own
  GET    /2/users/{id}/bookmarks                              | user | P page:1..100=100 | | own
  POST   /2/users/{id}/bookmarks                              | user | | tweet_id!:id | own
  # Hide replies
  PUT    /2/tweets/{id}/hidden                                | user | | |
  # Likes
  DELETE /2/users/{id}/likes/{tweet_id}                       | user | | | own
  GET    /2/tweets/{id}/liking_users                          | any  | P page:1..100=100 | |
  GET    /2/users/{id}/liked_tweets                           | any  | P page:5..100=100 | | cap
  POST   /2/users/{id}/likes                                  | user | | tweet_id!:id | own
  # Manage posts
  DELETE /2/tweets/{id}                                       | user | | |
  POST   /2/tweets                                            | user | | text:text direct_message_deep_link:link for_super_followers_only:flag place_id:text media_ids:ids media_tagged_user_ids:ids poll_options:texts poll_duration_minutes:minutes quote_tweet_id:id exclude_reply_user_ids:ids in_reply_to_tweet_id:id reply_settings:mentionedUsers,following |
  # Quote posts
  GET    /2/tweets/{id}/quote_tweets                          | any  | P exclude page:10..100=10 | | cap
  # Reposts
  DELETE /2/users/{id}/retweets/{source_tweet_id}             | user | | | own
  GET    /2/tweets/{id}/retweeted_by                          | any  | P page:1..100=100 | |
  POST   /2/users/{id}/retweets                               | user | | tweet_id!:id | own
  # Search
  GET    /2/tweets/search/all                                 | any  | query! start_time end_time since_id until_id results:10..500=10 next_token sort_order P | | cap research
  GET    /2/tweets/search/recent                              | any  | query! start_time end_time since_id until_id results:10..100=10 next_token sort_order P | | cap
  # Timelines
  GET    /2/users/{id}/mentions                               | any  | P start_time end_time since_id until_id page:5..100=10 | | cap
  GET    /2/users/{id}/timelines/reverse_chronological        | user | P exclude start_time end_time since_id until_id page:1..100=100 | | own
  GET    /2/users/{id}/tweets                                 | any  | P exclude start_time end_time since_id until_id page:5..100=10 | | cap
  # Post counts
  GET    /2/tweets/counts/all                                 | any  | query! start_time end_time since_id until_id granularity(minute,hour,day)=hour next_token | | research
  GET    /2/tweets/counts/recent                              | any  | query! start_time end_time since_id until_id granularity(minute,hour,day)=hour | |
  # Post lookup
  GET    /2/tweets/{id}                                       | any  | P | |
  GET    /2/tweets                                            | any  | ids!<=100 P | |
  # Blocks, follows, mutes
  DELETE /2/users/{source_user_id}/blocking/{target_user_id}  | user | | | own
  GET    /2/users/{id}/blocking                               | user | U page:1..1000=100 | | own
  POST   /2/users/{id}/blocking                               | user | | target_user_id!:id | own
  DELETE /2/users/{source_user_id}/following/{target_user_id} | user | | | own
  GET    /2/users/{id}/followers                              | any  | U page:1..1000=100 | |
  GET    /2/users/{id}/following                              | any  | U page:1..1000=100 | |
  POST   /2/users/{id}/following                              | user | | target_user_id!:id | own
  DELETE /2/users/{source_user_id}/muting/{target_user_id}    | user | | | own
  GET    /2/users/{id}/muting                                 | user | U page:1..1000=100 | | own
  POST   /2/users/{id}/muting                                 | user | | target_user_id!:id | own
  # User lookup
  GET    /2/users/{id}                                        | any  | U | |
  GET    /2/users/by/username/{username}                      | any  | U | |
  GET    /2/users                                             | any  | ids<=100 U | | one:ids,usernames
  GET    /2/users/by                                          | any  | usernames<=100 U | | one:ids,usernames
  GET    /2/users/me                                          | user | U | |
  # Spaces
  GET    /2/spaces/search                                     | any  | query! state(live,scheduled)=all results:1..100 S | |
  GET    /2/spaces                                            | any  | ids<=100 S | | one:ids,user_ids
  GET    /2/spaces/by/creator_ids                             | any  | user_ids<=100 S | | one:ids,user_ids
  GET    /2/spaces/{id}                                       | any  | S | |
  GET    /2/spaces/{id}/buyers                                | user | P | |
  GET    /2/spaces/{id}/tweets                                | any  | P | |
  # Lists
  GET    /2/lists/{id}/tweets                                 | any  | U page:1..100=100 | |
  DELETE /2/users/{id}/followed_lists/{list_id}               | user | | | own
  GET    /2/lists/{id}/followers                              | any  | U page:1..100=100 | |
  GET    /2/users/{id}/followed_lists                         | any  | L page:1..100=100 | |
  POST   /2/users/{id}/followed_lists                         | user | | list_id!:id | own
  GET    /2/lists/{id}                                        | any  | L | |
  GET    /2/users/{id}/owned_lists                            | any  | L page:1..100=100 | |
  DELETE /2/lists/{id}/members/{user_id}                      | user | | |
  GET    /2/lists/{id}/members                                | any  | U page:1..100=100 | |
  GET    /2/users/{id}/list_memberships                       | any  | L page:1..100=100 | |
  POST   /2/lists/{id}/members                                | user | | user_id!:id |
  DELETE /2/lists/{id}                                        | user | | |
  PUT    /2/lists/{id}                                        | user | | description:text name:text private:flag |
  POST   /2/lists                                             | user | | name!:text description:text private:flag |
  DELETE /2/users/{id}/pinned_lists/{list_id}                 | user | | | own
  GET    /2/users/{id}/pinned_lists                           | user | L | | own
  POST   /2/users/{id}/pinned_lists                           | user | | list_id!:id | own
  # Direct messages
  GET    /2/dm_conversations/{dm_conversation_id}/dm_events   | user | D event_types page:1..100=100 | |
  GET    /2/dm_conversations/with/{participant_id}/dm_events  | user | D event_types page:1..100=100 | |
  GET    /2/dm_events                                         | user | D event_types page:1..100=100 | |
  POST   /2/dm_conversations                                  | user | | participant_ids!:ids<=50 text:text<=10000 media_id:id |
  POST   /2/dm_conversations/{dm_conversation_id}/messages    | user | | text:text<=10000 media_id:id |
  POST   /2/dm_conversations/with/{participant_id}/messages   | user | | text:text<=10000 media_id:id |
  # Batch compliance
  GET    /2/compliance/jobs                                   | app  | type!(tweets,users) status | |
  GET    /2/compliance/jobs/{id}                              | app  | | |
  POST   /2/compliance/jobs                                   | app  | | type!:tweets,users name:text resumable:flag |
`;

const GROUPS: Readonly<Record<string, string>> = {
  P: 'expansions media.fields place.fields poll.fields tweet.fields user.fields',
  U: 'expansions tweet.fields user.fields',
  L: 'expansions list.fields user.fields',
  S: 'expansions space.fields user.fields',
  D: 'dm_event.fields expansions media.fields tweet.fields user.fields',
};

/** A valid value of each type of body field; choices are in the table. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  id: '1',
  ids: ['1'],
  text: 'hello',
  texts: ['this', 'that'],
  link: 'https://pond.example/1',
  flag: true,
  minutes: 60,
};

/** A query parameter. */
interface Query {
  readonly name: string;
  readonly required: boolean;
  readonly range?: { readonly min: number; readonly max: number; readonly default?: number };
  readonly longest?: number;
  readonly choices?: readonly string[];
  readonly choice?: string;
}

/** A field of a body; a request sends the first of `values`. */
interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly values: readonly unknown[];
  readonly longest?: number;
}

/** An endpoint of the table. */
export interface Row {
  readonly section: string;
  readonly name: string;
  readonly who: string;
  readonly query: readonly Query[];
  readonly body: readonly Field[];
  readonly notes: readonly string[];
}

/** The rows of the table. */
export const rows: readonly Row[] = readTable();

function readTable(): Row[] {
  let section = '';
  return TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [first = '', who = '', query = '', body = '', notes = ''] = line
        .split('|')
        .map((cell) => cell.trim());
      if (first.startsWith('# ')) section = first.slice(2);
      if (who === '') return [];
      return {
        section,
        name: first.replace(/ +/, ' '),
        who,
        query: words(query).flatMap(readQuery),
        body: words(body).map(readField),
        notes: words(notes),
      };
    });
}

function words(cell: string): string[] {
  return cell === '' ? [] : cell.split(/ +/);
}

function readQuery(word: string): Query[] {
  const group = GROUPS[word];
  if (group !== undefined) return words(group).map((name) => ({ name, required: false }));
  const [, kind, min, max, normal] = /^(page|results):(\d+)\.\.(\d+)(?:=(\d+))?$/.exec(word) ?? [];
  if (kind !== undefined) {
    const range = { min: Number(min), max: Number(max), ...(normal && { default: Number(normal) }) };
    const results = { name: 'max_results', required: false, range };
    return kind === 'page' ? [results, { name: 'pagination_token', required: false }] : [results];
  }
  const [, name = word, mark, longest, choices, choice] =
    /^([a-z_]+)(!)?(?:<=(\d+))?(?:\((.+)\))?(?:=(.+))?$/.exec(word) ?? [];
  return [
    {
      name,
      required: mark === '!',
      ...(longest && { longest: Number(longest) }),
      ...(choices && { choices: choices.split(',') }),
      ...(choice && { choice }),
    },
  ];
}

function readField(word: string): Field {
  const [, name = word, mark, kind = '', longest] = /^([a-z_]+)(!)?:([^<]+)(?:<=(\d+))?$/.exec(word) ?? [];
  return {
    name,
    required: mark === '!',
    values: kind in SAMPLES ? [SAMPLES[kind]] : kind.split(','),
    ...(longest && { longest: Number(longest) }),
  };
}
