import type { ComplianceSubject } from '../../core/compliance.js';
import type { ComplianceJobId } from '../../core/ids.js';
import * as v from '../../core/validators.js';
import { presentComplianceJob } from '../../views/wire/compliance-job.js';
import { notFoundError } from '../../views/present/partial-errors.js';
import { jsonBody } from '../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { withPageMeta } from '../paging.js';
import { COMPLIANCE_JOB_FIELDS } from '../params/fields.js';
import { choiceParam, choicesParam, idParam, inPath, required } from '../params/params.js';
import { pageSchema, singleSchema } from '../schemas/envelopes.js';

/** Batch compliance (docs/api/compliance.md). */

const common = {
  tag: 'Compliance',
  access: { contexts: ['app'] },
  rateLimits: perQuarterHour({ app: 150 }),
} as const;

const TYPES = ['tweets', 'users'] as const;
const STATUSES = ['created', 'in_progress', 'failed', 'complete', 'expired'] as const;

const SUBJECTS: Readonly<Record<(typeof TYPES)[number], ComplianceSubject>> = {
  tweets: 'posts',
  users: 'users',
};

/** Our own limit, since none is documented: lists of up to 1,000 jobs contain all names. */
const MAX_NAME_CHARACTERS = 1_000;

/** All fields are always returned (docs/api/objects.md#compliance-job). */
const fieldParams = {
  'compliance_job.fields': choicesParam(COMPLIANCE_JOB_FIELDS, 'All of them are returned by default.'),
};

const newJobBody = jsonBody(
  v.object({
    type: v.required(v.oneOf(TYPES, 'The kind of objects that the ids identify.')),
    name: v.text({
      max: MAX_NAME_CHARACTERS,
      description: 'A label for the owner of the job.',
      example: 'Archive of birds',
    }),
    resumable: v.boolean('Whether an interrupted upload of the ids can be resumed.'),
  }),
);

export const complianceJobEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'createBatchComplianceJob',
    summary: 'Creates a job that finds the posts or users that must be deleted from copies',
    method: 'POST',
    path: '/2/compliance/jobs',
    body: newJobBody,
    conflicts: true,
    response: singleSchema('ComplianceJob'),
    handler: async ({ compliance }, { principal, body }) => {
      const { type, name, resumable = false } = body;
      const job = await compliance.create(principal.app.id, { subject: SUBJECTS[type], name, resumable });
      return { data: presentComplianceJob(job) };
    },
  }),
  endpoint({
    ...common,
    operationId: 'listBatchComplianceJobs',
    summary: 'The compliance jobs of the app in the last 30 days, newest first',
    path: '/2/compliance/jobs',
    params: {
      type: required(choiceParam(TYPES, undefined, 'The kind of objects that the ids identify.')),
      status: choiceParam(STATUSES, undefined, 'Returns only jobs in this state.'),
      ...fieldParams,
    },
    response: pageSchema('ComplianceJob'),
    handler: async ({ compliance }, { principal, params }) => {
      const jobs = await compliance.list(principal.app.id, SUBJECTS[params.type], params.status);
      return withPageMeta(
        jobs.length === 0 ? {} : { data: jobs.map((job) => presentComplianceJob(job)) },
        {},
      );
    },
  }),
  endpoint({
    ...common,
    operationId: 'getBatchComplianceJob',
    summary: 'One compliance job of the app',
    path: '/2/compliance/jobs/{id}',
    params: { id: inPath(idParam<ComplianceJobId>('The compliance job.')), ...fieldParams },
    response: singleSchema('ComplianceJob'),
    handler: async ({ compliance }, { principal, params, rawPath }) => {
      const job = await compliance.find(principal.app.id, params.id);
      if (job) return { data: presentComplianceJob(job) };
      const wanted = { type: 'compliance_job', parameter: 'id', section: 'data' } as const;
      return { errors: [notFoundError({ ...wanted, value: rawPath.id ?? '' })] };
    },
  }),
];
