import type { JsonSchema } from '../../core/json-schema.js';
import { complianceJobFields } from '../../views/wire/compliance-job.js';
import { dmEventFields } from '../../views/wire/dm-event.js';
import { objectSchema } from '../../views/wire/field.js';
import { listFields } from '../../views/wire/list.js';
import { mediaFields } from '../../views/wire/media.js';
import { placeFields } from '../../views/wire/place.js';
import { pollFields } from '../../views/wire/poll.js';
import { postFields } from '../../views/wire/post.js';
import { spaceFields, topicFields } from '../../views/wire/space.js';
import { userFields } from '../../views/wire/user.js';
import { usageFields } from '../usage-fields.js';
import { includes, meta, searchCount } from './envelopes.js';
import {
  clientForbiddenProblem,
  error,
  invalidRequestProblem,
  problem,
  resourceNotFoundProblem,
  usageCappedProblem,
  v1Errors,
} from './problem.js';

/** The component schemas by the names under which `ref` finds them. */
export const components = {
  ClientForbiddenProblem: clientForbiddenProblem,
  ComplianceJob: objectSchema(complianceJobFields),
  DmEvent: objectSchema(dmEventFields),
  Error: error,
  Includes: includes,
  InvalidRequestProblem: invalidRequestProblem,
  List: objectSchema(listFields),
  Media: objectSchema(mediaFields),
  Meta: meta,
  Place: objectSchema(placeFields),
  Poll: objectSchema(pollFields),
  Problem: problem,
  ResourceNotFoundProblem: resourceNotFoundProblem,
  SearchCount: searchCount,
  Space: objectSchema(spaceFields),
  Topic: objectSchema(topicFields),
  Tweet: objectSchema(postFields),
  Usage: objectSchema(usageFields),
  UsageCappedProblem: usageCappedProblem,
  User: objectSchema(userFields),
  V1Errors: v1Errors,
} satisfies Record<string, JsonSchema>;
