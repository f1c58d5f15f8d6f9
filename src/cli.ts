#!/usr/bin/env node
import { createProcessIo } from './commands/process-io.js';
import { run } from './commands/program.js';

process.exitCode = await run(process.argv.slice(2), createProcessIo(process));
