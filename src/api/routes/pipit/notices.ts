import type { NoticeId } from '../../../core/ids.js';
import { listOf, object, ref } from '../../../core/json-schema.js';
import * as v from '../../../core/validators.js';
import { noticeFields } from '../../../views/wire/notice.js';
import { presenter } from '../../../views/wire/presenter.js';
import { idField, jsonBody } from '../../body/body.js';
import { type AnyEndpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { changeEndpoint } from '../../change-endpoint.js';
import { pagedEndpoint } from '../../paged-endpoint.js';

/** See docs/api/pipit.md#notices. */

const common = { tag: 'Pipit', rateLimits: perQuarterHour({ user: 180 }) } as const;

const present = presenter(noticeFields, new Set());

export const noticeEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...common,
    operationId: 'getNotices',
    summary: 'What the operators did about posts of the user, newest first',
    path: '/_pipit/notices',
    access: userRead(),
    params: {},
    page: { min: 1, max: 100, default: 20 },
    component: 'Notice',
    response: object({ data: listOf(ref('Notice')), meta: ref('Meta') }, ['meta']),
    list: ({ notices }, { principal }, page) => notices.list(principal.userId, page),
    show: (_context, _call, notices) =>
      Promise.resolve(notices.length > 0 ? { data: notices.map((notice) => present(notice)) } : {}),
  }),
  changeEndpoint({
    ...common,
    operationId: 'readNotices',
    summary: 'Marks the notices up to one as read',
    method: 'POST',
    path: '/_pipit/notices/read',
    access: userWrite(),
    body: jsonBody(
      v.object({ up_to_id: v.required(idField<NoticeId>('The newest notice that the user has read.')) }),
    ),
    answers: { read: true },
    run: ({ notices }, { principal, body }) => notices.markRead(principal, body.up_to_id),
  }),
];
