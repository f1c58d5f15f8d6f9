import { describe, expect, it } from 'vitest';
import { mayMessage, pairConversation, readConversationId } from './direct-message.js';
import type { UserId } from './ids.js';

const user = (id: bigint): UserId => id as UserId;

describe('the id of a one-to-one conversation', () => {
  it('has the numerically smaller id first', () => {
    expect(pairConversation(user(944480690n), user(906948460078698496n)).id).toBe(
      '944480690-906948460078698496',
    );
    expect(pairConversation(user(1072250532645998596n), user(750362064426721281n)).id).toBe(
      '750362064426721281-1072250532645998596',
    );
    expect(pairConversation(user(7n), user(7n)).id).toBe('7-7');
  });

  it('is parsed in either order and with leading zeros', () => {
    const pair = { id: '9-10', pair: [9n, 10n] };
    expect(readConversationId('9-10')).toEqual(pair);
    expect(readConversationId('10-9')).toEqual(pair);
    expect(readConversationId('010-0009')).toEqual(pair);
  });
});

it('the id of a group is its number', () => {
  expect(readConversationId('1578398451921985538')).toEqual({ id: '1578398451921985538' });
});

it.each(['', '7', '7-', '-7', 'a-b', '1-2-3', '9999999999999999999', '1-9999999999999999999'])(
  '%j is not a conversation id',
  (text) => {
    expect(readConversationId(text)).toBeUndefined();
  },
);

describe('permission to send a message (docs/api/messages.md)', () => {
  const stranger = { isSelf: false, isBlocked: false, isFollowed: false, hasConversation: false };

  it.each([
    ['a stranger, to a user who accepts messages of followed accounts', 'following', {}, false],
    ['a stranger, to a user who accepts messages of everyone', 'everyone', {}, true],
    ['an account that the recipient follows', 'following', { isFollowed: true }, true],
    ['a user in a conversation with the recipient', 'following', { hasConversation: true }, true],
    ['a blocked user', 'everyone', { isBlocked: true, isFollowed: true, hasConversation: true }, false],
    ['the recipient', 'following', { isSelf: true }, true],
  ] as const)('%s', (_, receivesDms, relation, may) => {
    expect(mayMessage({ receivesDms }, { ...stranger, ...relation })).toBe(may);
  });
});
