import type { Place } from '../core/post.js';
import { asJson, asOptionalText, asText, toJson } from '../database/sql.js';
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
export const insertPlace = PLACES.insertNew;
