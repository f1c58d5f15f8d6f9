/**
 * The texts of refused actions that older clients know by a number (docs/api/errors.md#refused-actions,
 * docs/api/v1.md#errors).
 */
export const REFUSED = {
  deletion: 'You are not authorized to delete this Tweet.',
  duplicate: 'You are not allowed to create a Tweet with duplicate content.',
  mediaIds: 'Your media IDs are invalid.',
  notPermitted: 'You are not permitted to perform this action.',
  replyLimited:
    'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the ' +
    'author of the post you are replying to.',
  replyTarget: 'You attempted to reply to a Tweet that is deleted or not visible to you.',
  selfFollow: 'You cannot follow yourself.',
  tooLong:
    'Your Tweet text is too long. For more information on how Twitter determines text length see ' +
    'https://github.com/twitter/twitter-text.',
} as const;
