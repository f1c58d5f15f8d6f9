import { createHash } from 'node:crypto';
import { Answer } from '../../http/answer.js';
import { Html, html } from './html.js';
import { STYLE } from './style.js';

const POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** Returns a page of the reference, without scripts and external resources. */
export function documentAnswer(title: string, content: Html): Answer {
  return new Answer(200, Buffer.from(renderDocument(title, content).markup), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
}

function renderDocument(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        ${content}
      </body>
    </html> `;
}
