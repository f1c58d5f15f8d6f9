declare const presented: unique symbol;

/** An object of a response. Only presenters create these, from tables in which each member has a schema. */
export interface WireObject {
  readonly [presented]: true;
}

/** A serialized object of a response: `writeJson` copies it into the body, faster than JSON.stringify. */
export class WireJson {
  constructor(
    readonly id: string,
    readonly json: string,
  ) {}

  /** Returns the object with the members of `more`, whose names must be new. */
  with(more: WireObject): WireJson {
    const members = JSON.stringify(more);
    return members === '{}' ? this : new WireJson(this.id, `${this.json.slice(0, -1)},${members.slice(1)}`);
  }

  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/** Serializes a response body like JSON.stringify. */
export function writeJson(body: unknown): string {
  return isEnvelope(body) ? writeMembers(body, writeSection) : JSON.stringify(body);
}

/** Serializes `data`, an object or a list, or `includes`, whose members are lists. */
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
