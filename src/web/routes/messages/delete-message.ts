import { html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { idInPath } from '../../id-in-path.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';
import { EVENT_SELECTION, messageBody, type WireEvent } from './message-events.js';
import { conversationEnd, deletionPath, MESSAGES_PATH } from './message-paths.js';

/** `/messages/{conversation}/{message}/delete`: asks before a message is deleted from the view of the user. */
export const deleteMessageRoutes: CreateRoutes = (pages, { publicUrl, clock }) => {
  const path = `${MESSAGES_PATH}/{conversation}/{message}/delete`;
  return [
    pages.showToUser(path, async (visit) => {
      const { conversation, message } = namedIn(visit);
      const { data: event, includes = {} } = await visit.api.call<WireEvent>('getDmEventsById', {
        event_id: message,
        ...EVENT_SELECTION,
      });
      if (event?.event_type !== 'MessageCreate') throw new PipitError({ code: 'route-not-found' });
      const ownId = String(visit.viewer.user.id);
      const body = messageBody(event, { includes, ownId, publicUrl, nowMs: clock() });
      return visit.show(
        { title: 'Delete this message?', wide: 'posts' },
        html`<h1>Delete this message?</h1>
          <div class="card message-card">${body}</div>
          <form class="card" method="post" action="${deletionPath(conversation, message)}">
            ${visit.csrfField()}
            <p>It disappears for you. The others in the conversation still see it.</p>
            <div class="actions">
              <button class="danger">Delete for me</button>
              <a class="button plain" href="${conversationEnd(conversation)}">Keep it</a>
            </div>
          </form>`,
      );
    }),
    pages.acceptFromUser(path, async (visit) => {
      const { conversation, message } = namedIn(visit);
      await visit.api.call('dmEventDelete', { event_id: message });
      return visit.goTo(conversationEnd(conversation));
    }),
  ];
};

function namedIn(visit: SignedInVisit) {
  const { conversation = '' } = visit.request.path;
  return { conversation, message: idInPath(visit, 'message') };
}
