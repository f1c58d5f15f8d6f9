import type { Place } from '../core/post.js';
import type { Queryable } from '../database/engine.js';
import { asJson, asOptionalText, asText, sql, toJson } from '../database/sql.js';
import { defineTable } from '../database/table.js';

const PLACES = defineTable<Place, string>('places', 'id', {
  id: ['id', asText],
  fullName: ['full_name', asText],
  name: ['name', asOptionalText],
  country: ['country', asOptionalText],
  countryCode: ['country_code', asOptionalText],
  placeType: ['place_type', asOptionalText],
  containedWithin: ['contained_within', asJson, toJson],
  geo: ['geo', asJson, toJson],
});

export const findPlaces = PLACES.findAmong;

/** Returns up to `limit` places with ids after `afterId` (empty to start), ordered by id. */
export function pagePlaces(db: Queryable, afterId: string, limit: number): Promise<Place[]> {
  return PLACES.list(db, sql`id > ${afterId} ORDER BY id LIMIT ${limit}`);
}

export const insertPlace = PLACES.insertNew;
