/**
 * An object of an answer that is JSON already, as most of what pages show was written before. `writeJson` puts it into
 * the answer as it is; JSON.stringify would, slower, do the same.
 */
export class WireJson {
  constructor(
    readonly id: string,
    readonly json: string,
  ) {}

  /** The same object with more members; `more` has none of those that are there. */
  with(more: object): WireJson {
    const members = JSON.stringify(more);
    return members === '{}' ? this : new WireJson(this.id, `${this.json.slice(0, -1)},${members.slice(1)}`);
  }

  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/** The JSON of an answer's body: what JSON.stringify makes of it, objects that are JSON already taken as they are. */
export function writeJson(body: unknown): string {
  return isEnvelope(body) ? writeMembers(body, writeSection) : JSON.stringify(body);
}

/** `data`, which is one object or a list, or `includes`, whose members are lists. */
function writeSection(section: unknown, name: string): string {
  return name === 'includes' ? writeMembers(section as object, writeObjects) : writeObjects(section);
}

function writeObjects(objects: unknown): string {
  if (objects instanceof WireJson) return objects.json;
  if (!isWritten(objects)) return JSON.stringify(objects);
  return `[${objects.map((object) => (object instanceof WireJson ? object.json : JSON.stringify(object))).join(',')}]`;
}

function writeMembers(object: object, write: (value: unknown, name: string) => string): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${write(value, name)}`);
  }
  return `{${members.join(',')}}`;
}

function isEnvelope(body: unknown): body is object {
  if (typeof body !== 'object' || body === null || !('data' in body)) return false;
  return body.data instanceof WireJson || isWritten(body.data);
}

function isWritten(objects: unknown): objects is readonly unknown[] {
  return Array.isArray(objects) && objects[0] instanceof WireJson;
}
