import {
  choiceParam,
  inPath,
  integerParam,
  patternParam,
  required,
  textParam,
  type ParamValues,
} from '../../api/params/params.js';
import { resourceNotFound } from '../../core/errors.js';
import { count, flag, fullObject, listOf } from '../../core/json-schema.js';
import type { JournalFilter } from '../../journal/filter.js';
import { toHar } from '../../journal/har.js';
import { pipitVersion } from '../../server/pipit-version.js';
import { entryFields, presentEntry } from '../journal-fields.js';
import { requireUserId } from '../known-users.js';
import { operation } from '../operation.js';
import type { Sandbox } from '../sandbox.js';

const tag = 'Journal';
const MAX_ID = Number.MAX_SAFE_INTEGER;
const MAX_WAIT_MS = 60_000;

const filterParams = {
  operation: textParam('An operation, such as `createTweet`, or method and path of another route.', {
    max: 200,
  }),
  method: patternParam(/^[A-Za-z]{1,20}$/, 'A method, such as `POST`.'),
  path: textParam('A path without its query; `*` stands for any text, `{id}` for any one segment.', {
    max: 200,
  }),
  status: patternParam(/^[1-5](?:\d\d|xx)$/, 'A status such as `429`, or a class such as `4xx`.'),
  app: textParam('The id or the name of the app.', { max: 100 }),
  user: textParam('The id or the username of the user.', { max: 50 }),
  refused: choiceParam(['true', 'false'], undefined, 'Refused requests only, or all others.'),
  since: integerParam(0, MAX_ID, undefined, 'The id of an entry: only later ones.'),
};

async function filterOf(
  sandbox: Sandbox,
  { user, refused, ...others }: ParamValues<typeof filterParams>,
): Promise<JournalFilter> {
  return {
    ...others,
    ...(refused !== undefined && { refused: refused === 'true' }),
    ...(user !== undefined && { userId: String(await requireUserId(sandbox, 'user', user)) }),
  };
}

const listEntries = operation({
  operationId: 'listJournal',
  tag,
  summary: 'The newest requests and their answers, newest first',
  path: '/journal',
  command: 'journal list',
  params: { ...filterParams, limit: integerParam(1, 10_000, 100, 'The most entries to list.') },
  response: fullObject({ data: listOf(entryFields), meta: fullObject({ matched: count }) }),
  handler: async (sandbox, { params: { limit, ...given } }) => {
    const filter = await filterOf(sandbox, given);
    const { journal } = sandbox;
    return {
      data: journal.find(filter, limit).map(presentEntry),
      meta: { matched: journal.count(filter) },
    };
  },
});

const countEntries = operation({
  operationId: 'countJournal',
  tag,
  summary: 'The number of requests',
  path: '/journal/count',
  command: 'journal count',
  params: filterParams,
  response: fullObject({ data: fullObject({ count }) }),
  handler: async (sandbox, { params }) => ({
    data: { count: sandbox.journal.count(await filterOf(sandbox, params)) },
  }),
});

const awaitEntries = operation({
  operationId: 'awaitJournal',
  tag,
  summary: 'Wait until enough requests match, and list them, oldest first',
  path: '/journal/wait',
  command: 'journal wait',
  takesTurns: true,
  params: {
    ...filterParams,
    n: integerParam(1, 10_000, 1, 'The number of matching requests; earlier ones count too.'),
    timeout: integerParam(0, MAX_WAIT_MS, 5_000, 'The longest time to wait, in milliseconds.'),
  },
  response: fullObject({
    data: listOf(entryFields),
    meta: fullObject({ matched: count, complete: flag }),
  }),
  handler: async (sandbox, { params: { n, timeout, ...given } }) => {
    const filter = await sandbox.server.use(() => filterOf(sandbox, given));
    const { entries, isComplete } = await sandbox.journal.waitFor(filter, n, timeout);
    return { data: entries.map(presentEntry), meta: { matched: entries.length, complete: isComplete } };
  },
});

const getEntry = operation({
  operationId: 'getJournalEntry',
  tag,
  summary: 'A request and its answer',
  path: '/journal/{id}',
  command: 'journal show',
  params: { id: inPath(required(integerParam(1, MAX_ID, undefined, 'The id of the entry.'))) },
  response: fullObject({ data: entryFields }),
  handler: async ({ journal }, { params: { id } }) => {
    const entry = journal.get(id);
    if (entry) return { data: presentEntry(entry) };
    throw resourceNotFound({ resourceType: 'journal_entry', parameter: 'id', value: String(id) });
  },
});

const clearJournal = operation({
  operationId: 'clearJournal',
  tag,
  summary: 'Forget all requests',
  method: 'DELETE',
  path: '/journal',
  command: 'journal clear',
  response: fullObject({ data: fullObject({ deleted: count }) }),
  handler: async ({ journal }) => {
    const deleted = journal.count();
    journal.clear();
    return { data: { deleted } };
  },
});

const getArchive = operation({
  operationId: 'getJournalArchive',
  tag,
  summary: 'The requests as an HTTP Archive 1.2, oldest first',
  path: '/journal.har',
  command: 'journal har',
  params: filterParams,
  response: { type: 'object' },
  handler: async (sandbox, { params }) => {
    const entries = sandbox.journal.find(await filterOf(sandbox, params)).toReversed();
    return toHar(entries, { baseUrl: sandbox.publicUrl, version: pipitVersion() });
  },
});

export const journalOperations = [
  listEntries,
  countEntries,
  awaitEntries,
  getEntry,
  clearJournal,
  getArchive,
];
