import type { JsonSchema } from '../../core/json-schema.js';
import type { BodySpec } from '../body/body.js';
import { fieldAt } from '../openapi.js';
import type { ParamMap } from '../params/params.js';
import { shownParams } from '../params/shown-params.js';
import { type Html, html, withCode } from './html.js';

interface Row {
  readonly name: string;
  readonly note: string;
  readonly schema: JsonSchema;
  readonly description: string;
}

/** Returns a table of query and path parameters, or nothing if there are none. */
export function paramTable(params: ParamMap): Html {
  const rows = shownParams(params).map(([name, spec]) => ({
    name,
    note: spec.in === 'path' ? 'in path' : spec.required ? 'required' : '',
    schema: spec.schema,
    description: spec.description,
  }));
  return table('Parameters', rows);
}

/** Returns a table of the fields of a body, with the paths of nested fields and their flat names. */
export function bodyTable(body: BodySpec<unknown>): Html {
  if (body.kind === 'streamed') {
    return html`<h4>Body</h4>
      <p>${Object.keys(body.content).join(', ')}</p>`;
  }
  const { schema } = body.object;
  const flat = Object.entries(body.flat).map(([name, target]) => ({
    name,
    note: '',
    schema: fieldAt(schema, target),
    description: `The same as ${target}.`,
  }));
  return table('Body', [...fieldRows(schema, ''), ...flat]);
}

function fieldRows(schema: JsonSchema, prefix: string): Row[] {
  const requiredNames = (schema['required'] ?? []) as readonly string[];
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const within = prefix === '' ? '' : ` in ${prefix.slice(0, -1)}`;
  return members.flatMap(([name, member]) => {
    const row = {
      name: prefix + name,
      note: requiredNames.includes(name) ? `required${within}` : '',
      schema: member,
      description: String(member['description'] ?? ''),
    };
    const items = (member['items'] ?? {}) as JsonSchema;
    return [row, ...fieldRows(member, `${row.name}.`), ...fieldRows(items, `${row.name}[].`)];
  });
}

function table(title: string, rows: readonly Row[]): Html {
  if (rows.length === 0) return html``;
  return html`<h4>${title}</h4>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(renderRow)}
        </tbody>
      </table>
    </div>`;
}

function renderRow({ name, note, schema, description }: Row): Html {
  const noteClass = note.startsWith('required') ? 'required' : 'note';
  return html`<tr>
    <td><code>${name}</code>${note === '' ? undefined : html` <span class="${noteClass}">${note}</span>`}</td>
    <td>${typeText(schema)}</td>
    <td>${withCode(description)}${allowedValues(schema)}</td>
  </tr>`;
}

/** Describes the allowed values: type, limits, default. */
function typeText(schema: JsonSchema): string {
  const items = schema['items'] as JsonSchema | undefined;
  const parts = [
    items === undefined ? String(schema['type']) : `list of ${String(items['type'])}s`,
    range(schema['minimum'], schema['maximum'], ''),
    range(schema['minLength'], schema['maxLength'], ' characters'),
    range(schema['minItems'], schema['maxItems'], ' items'),
    patternText(schema) ?? patternText(items ?? {}),
    schema['default'] === undefined ? undefined : `default ${String(schema['default'])}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function range(min: unknown, max: unknown, unit: string): string | undefined {
  if (max === undefined) return undefined;
  return min === undefined ? `at most ${String(max)}${unit}` : `${String(min)} to ${String(max)}${unit}`;
}

function patternText(schema: JsonSchema): string | undefined {
  return schema['pattern'] === undefined ? undefined : String(schema['pattern']);
}

/** Longer lists of values are collapsed. */
const MAX_VALUES_SHOWN = 4;

function allowedValues(schema: JsonSchema): Html | undefined {
  const items = (schema['items'] ?? {}) as JsonSchema;
  const values = (schema['enum'] ?? items['enum']) as readonly string[] | undefined;
  if (values === undefined) return undefined;
  const list = html`<code>${values.join(', ')}</code>`;
  if (values.length <= MAX_VALUES_SHOWN) return html` ${list}`;
  return html`<details>
    <summary>${values.length} values</summary>
    ${list}
  </details>`;
}
