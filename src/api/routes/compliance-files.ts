import { Readable } from 'node:stream';
import { MAX_UPLOAD_BYTES, type ComplianceFinding } from '../../core/compliance.js';
import { type PipitError, forbidden, invalidRequest, resourceNotFound } from '../../core/errors.js';
import { parseId, type ComplianceJobId, type ComplianceUploadId } from '../../core/ids.js';
import type { ComplianceService } from '../../services/compliance/compliance-jobs.js';
import type { LinkPurpose } from '../../services/compliance/links.js';
import { presentComplianceFinding } from '../../views/wire/compliance-job.js';
import { Answer } from '../../http/answer.js';
import type { PlainRequest, PlainRoute } from '../../http/plain-route.js';
import { putChunk } from './compliance-resume.js';

/** The content type signed with the link (docs/api/compliance.md); a missing type is accepted as this one. */
const UPLOAD_TYPE = /^\s*text\/plain\s*(?:;|$)/i;

const RESULTS_HEADERS = {
  // Clients parse text by lines; for other types some return bytes.
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Creates the routes behind the links of compliance jobs: uploads, in one piece or resumable, and results. The links
 * contain their own authorization (docs/api/compliance.md).
 */
export function complianceRoutes(compliance: ComplianceService): readonly PlainRoute[] {
  const upload = '/compliance/jobs/{id}/upload';
  return [
    {
      method: 'PUT',
      path: upload,
      maxBodyBytes: MAX_UPLOAD_BYTES,
      streamed: true,
      handler: (request) => putWhole(compliance, request),
    },
    { method: 'POST', path: upload, handler: (request) => startResumable(compliance, request) },
    {
      method: 'PUT',
      path: `${upload}/{upload_id}`,
      maxBodyBytes: MAX_UPLOAD_BYTES,
      streamed: true,
      handler: (request) => {
        requireLink(compliance, 'resume', request, ['id', 'upload_id']);
        const [jobId, uploadId] = [idIn(request, 'id'), idIn(request, 'upload_id')];
        return putChunk(
          compliance.uploads,
          request,
          jobId as ComplianceJobId,
          uploadId as ComplianceUploadId,
        );
      },
    },
    {
      method: 'GET',
      path: '/compliance/jobs/{id}/results',
      handler: (request) => sendResults(compliance, request),
    },
  ];
}

async function putWhole(compliance: ComplianceService, request: PlainRequest): Promise<Answer> {
  const { uploads } = compliance;
  requireLink(compliance, 'upload', request, ['id']);
  const type = request.headers['content-type'];
  if (type !== undefined && !UPLOAD_TYPE.test(type)) {
    throw forbidden('The ids must be sent with the content-type text/plain.');
  }
  const { upload } = await uploads.start(idIn(request, 'id') as ComplianceJobId);
  await uploads.finish(await uploads.append(upload, request.stream));
  return new Answer(200);
}

async function startResumable(compliance: ComplianceService, request: PlainRequest): Promise<Answer> {
  requireLink(compliance, 'upload', request, ['id']);
  const sent = request.headers['x-goog-resumable'];
  if (sent !== 'start') {
    const message = 'The `x-goog-resumable` header must be `start`';
    throw invalidRequest('x-goog-resumable', sent === undefined ? [] : [String(sent)], message);
  }
  const id = idIn(request, 'id') as ComplianceJobId;
  const { job, upload } = await compliance.uploads.start(id, { onlyResumable: true });
  return new Answer(201, undefined, { location: compliance.links.resumeUrl(job, upload.uploadId) });
}

async function sendResults(compliance: ComplianceService, request: PlainRequest): Promise<Answer> {
  requireLink(compliance, 'download', request, ['id']);
  const id = idIn(request, 'id') as ComplianceJobId;
  const pages = await compliance.results(id);
  if (!pages) throw missing('id', String(id));
  const isRead = request.method !== 'HEAD';
  return new Answer(200, Readable.from(isRead ? rowsOf(pages) : [], { objectMode: false }), RESULTS_HEADERS);
}

/** One JSON object per line. */
async function* rowsOf(pages: AsyncIterable<readonly ComplianceFinding[]>): AsyncGenerator<string> {
  for await (const page of pages) {
    yield page.map((finding) => `${JSON.stringify(presentComplianceFinding(finding))}\n`).join('');
  }
}

function requireLink(
  { links }: ComplianceService,
  purpose: LinkPurpose,
  { path, rawQuery }: PlainRequest,
  names: readonly string[],
): void {
  const ids = names.map((name) => path[name] ?? '');
  links.require(purpose, ids, rawQuery);
}

/** The signature covers an id, and only the server can sign. */
function idIn({ path }: PlainRequest, name: string): bigint {
  const text = path[name] ?? '';
  const id = parseId<bigint>(text);
  if (id === undefined) throw missing(name, text);
  return id;
}

function missing(parameter: string, value: string): PipitError {
  return resourceNotFound({ resourceType: 'compliance_job', parameter, value });
}
