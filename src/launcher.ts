#!/usr/bin/env node
import { loadProgram } from './compiled-program.js';

const { run, createProcessIo } = loadProgram(import.meta.dirname).program;
process.exitCode = await run(process.argv.slice(2), createProcessIo(process));
