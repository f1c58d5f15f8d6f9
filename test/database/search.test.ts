import { describe } from 'vitest';
import { testEngines } from './engines.js';
import { searchCases } from './search.cases.js';

describe.each(testEngines())('search on $name', (kind) => searchCases(kind));
