import type { Place } from '../core/post.js';
import { asJson, asOptionalText, asText, toJson } from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

function decodePlace(row: Row): Place {
  return {
    id: asText(row.id),
    fullName: asText(row.full_name),
    name: asOptionalText(row.name),
    country: asOptionalText(row.country),
    countryCode: asOptionalText(row.country_code),
    placeType: asOptionalText(row.place_type),
    containedWithin: asJson(row.contained_within),
    geo: asJson(row.geo),
  };
}

/** Returns the stored places among `ids`, by id. */
export async function findPlaces(db: Queryable, ids: readonly string[]): Promise<Map<string, Place>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT * FROM places WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asText(row.id), decodePlace(row)]));
}

/** Stores a place. Returns false and changes nothing if the id is taken. */
export async function insertPlace(tx: Tx, place: Place): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO places (id, full_name, name, country, country_code, place_type, contained_within, geo)
    VALUES (${place.id}, ${place.fullName}, ${place.name}, ${place.country}, ${place.countryCode},
      ${place.placeType}, ${toJson(place.containedWithin)}, ${toJson(place.geo)})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}
