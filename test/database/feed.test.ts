import { describe } from 'vitest';
import { memory, testEngines } from './engines.js';
import { feedCases } from './feed.cases.js';

describe.each([...new Set([...testEngines(), memory])])('the feed of $name', (kind) => feedCases(kind));
