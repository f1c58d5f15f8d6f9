import { type ConversationId, readConversationId } from '../../core/direct-message.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import { findParticipants } from '../../stores/dm-conversations.js';

/** What happened, as far as it may change what users see as new. */
export class News {
  /** The authors of posts that were made or deleted. */
  readonly authors = new Set<UserId>();
  /** The users whose follows, mutes or blocks changed. */
  readonly related = new Set<UserId>();
  /** The users with other notifications or messages. */
  readonly notified = new Set<UserId>();
  readonly posts = new Set<PostId>();
  private readonly conversations = new Set<ConversationId>();

  get isEmpty(): boolean {
    const { authors, related, notified, conversations } = this;
    return authors.size + related.size + notified.size + conversations.size === 0;
  }

  /** Adds what entries of the feed say. */
  add(entries: readonly FeedEntry[]): void {
    for (const { events } of entries) for (const event of events) this.#addEvent(event);
  }

  /** Adds the participants of conversations with new messages to those who are notified. */
  async findRecipients(db: Queryable): Promise<void> {
    const groups: ConversationId[] = [];
    for (const id of this.conversations) {
      const { pair } = readConversationId(id) ?? {};
      if (pair) for (const userId of pair) this.notified.add(userId);
      else groups.push(id);
    }
    if (groups.length === 0) return;
    for (const participants of (await findParticipants(db, groups)).values())
      for (const userId of participants) this.notified.add(userId);
  }

  #addEvent(event: FeedEntry['events'][number]): void {
    const { kind } = event;
    if (kind === 'post-made') this.posts.add(event.postId);
    if (kind === 'post-made' || kind === 'post-deleted') this.authors.add(event.authorId);
    if (kind === 'unread-changed') this.notified.add(event.userId);
    if (kind === 'message-sent') this.conversations.add(event.conversation);
    if ('targetId' in event) this.related.add(event.userId);
  }
}
