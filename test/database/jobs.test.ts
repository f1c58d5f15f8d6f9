import { describe } from 'vitest';
import { memory, testEngines } from './engines.js';
import { jobCases } from './jobs.cases.js';

describe.each([...new Set([...testEngines(), memory])])('jobs on $name', (kind) => jobCases(kind));
