import type { Permission } from '../../core/access.js';
import { writeExactJson, type ExactJson } from '../../core/exact-json.js';
import { Answer } from '../../http/answer.js';
import { JSON_TYPE } from '../../http/problems.js';
import type { PostFormV1 } from '../../views/v1/post.js';
import type { ParamValues } from '../params/params.js';
import { flagParam, textV1Param } from './params.js';

/** The common parts of the endpoints of v1.1 (docs/api/v1.md). */

/** Apps of Essential access may not use v1.1 (docs/api/authentication.md#levels-and-tracks). */
const levels = ['elevated', 'basic'] as const;

export const ENDPOINT_V1 = { errorStyle: 'v1', openQuery: true, formParams: true } as const;

/** Access for users and apps. OAuth 2.0 tokens of users do not work on these paths. */
export const READ_V1 = { contexts: ['app', 'oauth1'], levels } as const;

export const USER_READ_V1 = { contexts: ['oauth1'], levels } as const;

export const USER_WRITE_V1 = { ...USER_READ_V1, permission: 'read_write' satisfies Permission } as const;

/** The parameters that choose the form of posts. */
export const postFormParams = {
  tweet_mode: textV1Param('`extended` for whole texts as `full_text`; others are cut at 140 characters.'),
  trim_user: flagParam('Whether authors are shown by their ids only.'),
  include_entities: flagParam('Whether posts have entities.', true),
};

/** Returns the form of posts that a request chooses. */
export function formOf(params: ParamValues<typeof postFormParams>): PostFormV1 {
  return {
    mode: params.tweet_mode === 'extended' ? 'extended' : 'compatible',
    trimsUser: params.trim_user,
    withoutEntities: !params.include_entities,
  };
}

/** Answers with ids as integers of all their digits. */
export function answerV1(value: ExactJson): Answer {
  return new Answer(200, writeExactJson(value), { 'content-type': JSON_TYPE });
}
