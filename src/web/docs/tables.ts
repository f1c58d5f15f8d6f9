import { id, type JsonSchema } from '../../core/json-schema.js';
import type { BodySpec } from '../../api/body/body.js';
import { fieldAt } from '../../api/openapi.js';
import type { ParamMap } from '../../api/params/params.js';
import { shownParams } from '../../api/params/shown-params.js';
import { type Html, html, withCode } from '../../api/reference/html.js';
import { textTable } from '../lists.js';

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
  return table('Parameters', 'parameters', rows);
}

/** Returns a table of the fields of a body, with the paths of nested fields and their flat names. */
export function bodyTable(body: BodySpec<unknown>): Html {
  if (body.kind === 'streamed') {
    return html`<h2 id="body-fields">Body</h2>
      <p>${Object.keys(body.content).join(', ')}</p>`;
  }
  const { schema } = body.object;
  const flat = Object.entries(body.flat).map(([name, target]) => ({
    name,
    note: '',
    schema: fieldAt(schema, target),
    description: `The same as ${target}.`,
  }));
  return table('Body', 'body-fields', [...fieldRows(schema, ''), ...flat]);
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

function table(title: string, anchor: string, rows: readonly Row[]): Html {
  if (rows.length === 0) return html``;
  return html`<details class="fold group">
    <summary><h2 id="${anchor}">${title}</h2></summary>
    ${textTable(['Name', 'Type', 'Meaning'], rows.map(cellsOf))}
  </details>`;
}

function cellsOf({ name, note, schema, description }: Row): (Html | string)[] {
  const noteClass = note.startsWith('required') ? 'required' : 'where';
  return [
    html`<code>${name}</code>${note === '' ? undefined : html` <span class="${noteClass}">${note}</span>`}`,
    typeText(schema),
    html`${withCode(description)}${allowedValues(schema)}`,
  ];
}

/** Describes the allowed values: type, limits, default. */
function typeText(schema: JsonSchema): string {
  const items = schema['items'] as JsonSchema | undefined;
  const parts = [
    items === undefined ? typeName(schema) : `list of ${typeName(items)}s`,
    range(schema['minimum'], schema['maximum'], ''),
    range(schema['minLength'], schema['maxLength'], ' characters'),
    range(schema['minItems'], schema['maxItems'], ' items'),
    patternText(schema) ?? patternText(items ?? {}),
    schema['default'] === undefined ? undefined : `default ${String(schema['default'])}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function typeName({ type, pattern }: JsonSchema): string {
  return pattern === id['pattern'] ? 'id' : String(type);
}

function range(min: unknown, max: unknown, unit: string): string | undefined {
  if (max === undefined) return undefined;
  return min === undefined ? `at most ${String(max)}${unit}` : `${String(min)} to ${String(max)}${unit}`;
}

function patternText(schema: JsonSchema): string | undefined {
  const { pattern } = schema;
  return pattern === undefined || pattern === id['pattern'] ? undefined : String(pattern);
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
