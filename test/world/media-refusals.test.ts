import { test } from 'vitest';
import { createRefuser, type Refusal } from './refusals.js';

const { expectRefusal } = createRefuser();

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const SRT = base64('1\n00:00:00,000 --> 00:00:01,000\nGood morning!\n');
const NAME = '77/a.srt';
const VIDEO = { media_key: '13_77', type: 'video', owner: 'alice' };
const ENGLISH = { language_code: 'en', file: NAME };

const video = (subtitles: unknown, data = SRT) => ({
  media: [{ ...VIDEO, files: [{ name: NAME, data }], subtitles }],
});
const AT = '$.media[0].subtitles';

const REFUSALS: readonly Refusal[] = [
  ['subtitles are a list', video(ENGLISH), AT, /must be an array/],
  [
    'their languages are tags',
    video([{ ...ENGLISH, language_code: 'e_n' }]),
    `${AT}[0].language_code`,
    /must be/,
  ],
  [
    'their languages are short',
    video([{ ...ENGLISH, language_code: `en${'-abcdefgh'.repeat(9)}` }]),
    `${AT}[0].language_code`,
    /20 characters/,
  ],
  [
    'their names are short',
    video([{ ...ENGLISH, display_name: 'n'.repeat(101) }]),
    `${AT}[0].display_name`,
    /100 characters/,
  ],
  ['a language stands once', video([ENGLISH, ENGLISH]), `${AT}[1].language_code`, /already/],
  [
    'their files are in the file',
    video([{ ...ENGLISH, file: '77/b.srt' }]),
    `${AT}[0].file`,
    /none of the files/,
  ],
  [
    'their files have the form of names',
    video([{ ...ENGLISH, file: '../etc/passwd' }]),
    `${AT}[0].file`,
    /must be the id/,
  ],
  ['they are timed text', video([ENGLISH], base64('<script>')), `${AT}[0].file`, /neither SubRip nor WebVTT/],
  ['they are UTF-8', video([ENGLISH], base64(Buffer.from([0xff, 0xfe]))), `${AT}[0].file`, /neither/],
  [
    'they have a maximum size',
    video([ENGLISH], 'A'.repeat(800_000)),
    `${AT}[0].file`,
    /more than 524288 bytes/,
  ],
  [
    'photos have none',
    {
      media: [{ media_key: '3_77', type: 'photo', files: [{ name: NAME, data: SRT }], subtitles: [ENGLISH] }],
    },
    AT,
    /only a video/,
  ],
  [
    'additional owners exist',
    { media: [{ ...VIDEO, additional_owners: ['nobody'] }] },
    '$.media[0].additional_owners[0]',
    /no user/,
  ],
  [
    'expiry is a time',
    { media: [{ ...VIDEO, expires_at: 'soon' }] },
    '$.media[0].expires_at',
    /must be a time/,
  ],
];

test.each(REFUSALS)('%s', (_rule, document, path, reason) => expectRefusal(document, path, reason));
