import type { UserPrincipal, Scope } from '../../core/access.js';
import { flag as flagSchema } from '../../core/json-schema.js';
import * as v from '../../core/validators.js';
import { userWrite, type AnyEndpoint, endpoint } from '../endpoint.js';
import { jsonBody, idField } from '../body/body.js';
import type { ApiContext } from '../context.js';
import { idParam, inPath } from '../params/params.js';
import { dataSchema } from '../schemas/envelopes.js';
import { userInPath } from './owned-page.js';

/** The id that a pair of actions applies to: its name and its description. */
interface Target {
  /** In the body of the action, such as `{"tweet_id":"1"}`. */
  readonly inBody: readonly [name: string, description: string];
  /** In the path that undoes the action. */
  readonly inPath: readonly [name: string, description: string];
  /** The path parameter with the user who undoes the action. */
  readonly actor: 'id' | 'source_user_id';
}

/** Of likes, reposts and bookmarks (docs/api/timelines.md#likes-and-bookmarks). */
export const postTarget: Target = {
  inBody: ['tweet_id', 'The post.'],
  inPath: ['tweet_id', 'The post.'],
  actor: 'id',
};

/** Of follows, blocks and mutes (docs/api/people.md#follows-blocks-and-mutes). */
export const userTarget: Target = {
  inBody: ['target_user_id', 'The other user of the created relation.'],
  inPath: ['target_user_id', 'The other user of the deleted relation.'],
  actor: 'source_user_id',
};

/** Of follows and pins of Lists (docs/api/lists.md). */
export const listTarget: Target = {
  inBody: ['list_id', 'The List.'],
  inPath: ['list_id', 'The List.'],
  actor: 'id',
};

interface Action<T> extends Pick<AnyEndpoint, 'operationId' | 'summary' | 'removes'> {
  /** In place of those of the pair. */
  readonly rateLimits?: AnyEndpoint['rateLimits'];
  readonly response?: AnyEndpoint['response'];
  /** Resolves to members of `data`, or to nothing if `data` has only the flag. */
  readonly run: (context: ApiContext, principal: UserPrincipal, id: T) => Promise<object | void>;
}

interface Pair<T> extends Pick<AnyEndpoint, 'tag' | 'rateLimits'> {
  readonly scope: Scope;
  /** The member of `data` that says whether the action is in effect. */
  readonly flag: string;
  /** The name of the list that the action adds to, in the path. */
  readonly list: string;
  readonly does: Action<T>;
  readonly undoes: Action<T>;
}

/** Declares an action of a user on another object (`POST`) and the one that undoes it (`DELETE`). */
export function actionPair<T extends bigint>(target: Target, pair: Pair<T>): readonly AnyEndpoint[] {
  const { scope, flag, list, does, undoes, tag, rateLimits } = pair;
  const access = userWrite(scope);
  const common = { tag, rateLimits, response: dataSchema({ [flag]: flagSchema }) };
  const { run, ...action } = does;
  const { run: runBack, ...undoing } = undoes;
  const [inBody, bodyText] = target.inBody;
  const [inPathName, pathText] = target.inPath;
  return [
    endpoint({
      ...common,
      ...action,
      method: 'POST',
      path: `/2/users/{id}/${list}`,
      access: { ...access, ownId: 'id' },
      params: userInPath,
      body: jsonBody(v.object({ [inBody]: v.required(idField<T>(bodyText)) })),
      handler: async (context, { principal, body }) => ({
        data: { [flag]: true, ...(await run(context, principal, body[inBody] as T)) },
      }),
    }),
    endpoint({
      ...common,
      ...undoing,
      method: 'DELETE',
      path: `/2/users/{${target.actor}}/${list}/{${inPathName}}`,
      access: { ...access, ownId: target.actor },
      params: { [target.actor]: userInPath.id, [inPathName]: inPath(idParam<T>(pathText)) },
      handler: async (context, { principal, params }) => ({
        data: { [flag]: false, ...(await runBack(context, principal, params[inPathName] as T)) },
      }),
    }),
  ];
}
