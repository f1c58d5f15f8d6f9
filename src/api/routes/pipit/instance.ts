import { flag, object, oneOf, text, url } from '../../../core/json-schema.js';
import { endpoint } from '../../endpoint.js';

const instance = object(
  {
    name: text,
    description: text,
    logo_url: url,
    sign_up: oneOf('open', 'invitation', 'closed'),
    is_open: flag,
  },
  ['name', 'description', 'sign_up', 'is_open'],
);

/** See docs/api/pipit.md#the-server. */
export const getInstance = endpoint({
  operationId: 'getInstance',
  tag: 'Pipit',
  summary: 'What the server says about itself: name, description, logo, and who may sign up',
  path: '/_pipit/instance',
  access: 'public',
  response: object({ data: instance }, ['data']),
  handler: async (context) => {
    const { name, description, logoUrl, signUp, isOpen } = await context.instance.describe();
    return { data: { name, description, logo_url: logoUrl, sign_up: signUp, is_open: isOpen } };
  },
});
