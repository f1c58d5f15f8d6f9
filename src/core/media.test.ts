import { describe, expect, it } from 'vitest';
import type { MediaId } from './ids.js';
import { MAX_PHOTO_BYTES } from './limits.js';
import { categoryOfContent, isPostMedia, MEDIA_CATEGORIES, mediaKeyOf, parseMediaCategory } from './media.js';

describe('a category', () => {
  it('is recognized in every spelling', () => {
    expect(parseMediaCategory('tweet_gif')).toBe('tweet_gif');
    expect(parseMediaCategory('TweetGif')).toBe('tweet_gif');
    expect(parseMediaCategory('DmImage')).toBe('dm_image');
    expect(parseMediaCategory('amplify_video')).toBe('amplify_video');
    expect(parseMediaCategory('TWEET_VIDEO')).toBe('tweet_video');
    expect(parseMediaCategory('tweet_song')).toBeUndefined();
  });

  it('has distinct media keys, which identify what posts cannot show', () => {
    const shown = MEDIA_CATEGORIES.filter((category) => category !== 'subtitles');
    const keys = shown.map((category) => mediaKeyOf(category, 12n as MediaId));
    expect(new Set(keys).size).toBe(shown.length);
    expect(keys.slice(0, 5)).toEqual(['3_12', '16_12', '7_12', '13_12', '5_12']);
    const others = shown.filter((_, at) => !isPostMedia(keys[at] ?? ''));
    expect(others).toEqual(['dm_image', 'dm_gif', 'dm_video']);
    expect(['19_12', '20_12'].map(isPostMedia)).toEqual([false, false]);
  });
});

describe('the content of a file', () => {
  const large = MAX_PHOTO_BYTES + 1;

  it('turns a photo or unspecified category into a small animation', () => {
    expect(categoryOfContent(undefined, 'animated_gif', 10)).toBe('tweet_gif');
    expect(categoryOfContent('tweet_image', 'animated_gif', 10)).toBe('tweet_gif');
    expect(categoryOfContent('dm_image', 'animated_gif', 10)).toBe('dm_gif');
    expect(categoryOfContent(undefined, 'photo', large)).toBe('tweet_image');
  });

  it('refuses large animations, videos and others under a wrong category (docs/api/errors.md#problems)', () => {
    expect(categoryOfContent(undefined, 'animated_gif', large)).toBeUndefined();
    expect(categoryOfContent('tweet_image', 'animated_gif', large)).toBeUndefined();
    expect(categoryOfContent(undefined, 'video', 10)).toBeUndefined();
    expect(categoryOfContent('tweet_gif', 'video', 10)).toBeUndefined();
    expect(categoryOfContent('tweet_video', 'photo', 10)).toBeUndefined();
  });
});
