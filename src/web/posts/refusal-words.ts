import { REFUSED } from '../../core/refused-actions.js';

/** What pages say in place of the texts that clients of the API know. */
const WORDS: ReadonlyMap<string, string> = new Map([
  [REFUSED.duplicate, 'You have posted this text within the last 24 hours.'],
  [REFUSED.mediaIds, 'A post shows up to four photos, one GIF or one video, and no file twice.'],
  [REFUSED.replyLimited, 'The author has limited who may reply.'],
  [REFUSED.replyTarget, 'The post that you reply to was deleted, or you may not see it.'],
  [REFUSED.tooLong, 'This post is too long.'],
]);

/** Returns why a post was refused, in the words of pages. */
export function refusalWords(message: string): string {
  return WORDS.get(message) ?? message;
}
