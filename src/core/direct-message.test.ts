import { describe, expect, it } from 'vitest';
import { mayMessage, pairConversation, readConversationId } from './direct-message.js';
import type { UserId } from './ids.js';

const user = (id: bigint): UserId => id as UserId;

describe('the id of a one-to-one conversation', () => {
  it('has the smaller id first, compared as a number (behaviours 10)', () => {
    expect(pairConversation(user(944480690n), user(906948460078698496n)).id).toBe(
      '944480690-906948460078698496',
    );
    expect(pairConversation(user(1072250532645998596n), user(750362064426721281n)).id).toBe(
      '750362064426721281-1072250532645998596',
    );
    expect(pairConversation(user(7n), user(7n)).id).toBe('7-7');
  });

  it('is read in either order and spelling', () => {
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
  '%j names no conversation',
  (text) => {
    expect(readConversationId(text)).toBeUndefined();
  },
);

describe('who may write to whom (behaviours 10)', () => {
  const stranger = { isSelf: false, isBlocked: false, isFollowed: false, hasConversation: false };

  it.each([
    ['a stranger to whom only accepts messages of followed accounts', 'following', {}, false],
    ['a stranger to whom accepts those of everyone', 'everyone', {}, true],
    ['whom the recipient follows', 'following', { isFollowed: true }, true],
    ['who has a conversation with the recipient', 'following', { hasConversation: true }, true],
    ['anybody over a block', 'everyone', { isBlocked: true, isFollowed: true, hasConversation: true }, false],
    ['the recipient', 'following', { isSelf: true }, true],
  ] as const)('%s', (_, receivesDms, relation, may) => {
    expect(mayMessage({ receivesDms }, { ...stranger, ...relation })).toBe(may);
  });
});
