/** The path of the conversations of the user. */
export const MESSAGES_PATH = '/messages';

/** The path of the form that writes to people, or starts a group of them. */
export const NEW_MESSAGE_PATH = '/messages/new';

/** Returns the path of the page of a conversation. */
export function conversationPath(id: string): string {
  return `${MESSAGES_PATH}/${encodeURIComponent(id)}`;
}

/** Returns the path of the end of a conversation, where its newest message and the form are. */
export function conversationEnd(id: string): string {
  return `${conversationPath(id)}#write`;
}

/** Returns the path of the page that asks before a message is deleted. */
export function deletionPath(conversation: string, eventId: string): string {
  return `${conversationPath(conversation)}/${encodeURIComponent(eventId)}/delete`;
}

/** Returns the path of the page of the file of a message, which the link in its text leads to. */
export function mediaPath(eventId: string): string {
  return `${MESSAGES_PATH}/media/${encodeURIComponent(eventId)}`;
}
