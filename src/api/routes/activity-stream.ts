import { messageOf } from '../../http/message-stream.js';
import { streamEndpoint } from '../stream-endpoint.js';

/** The stream of activity (docs/api/activity.md#stream). */
export const activityStream = streamEndpoint({
  operationId: 'activityStream',
  summary: 'The activity of users that the app subscribed to, as it happens',
  path: '/2/activity/stream',
  name: 'activity_stream',
  params: {},
  minLimit: 2,
  message: 'One message: an event with its type, the filter and tag of the subscription, and a payload.',
  open: ({ activitySubscriptions, views }, { principal }) => ({
    messages: async (entries) => {
      const messages: Buffer[] = [];
      for (const match of await activitySubscriptions.matches(principal.app.id, entries)) {
        const message = await views.activity(match);
        if (message !== undefined) messages.push(messageOf(message));
      }
      return messages;
    },
  }),
});
