import { Command, Option } from 'commander';
import type { JsonSchema } from '../core/json-schema.js';
import { KEY_VARIABLE } from '../lead/credentials.js';
import { pathParameters } from '../http/router.js';
import type { SandboxOperation } from '../sandbox/operation.js';
import { sandboxOperations } from '../sandbox/operations/all.js';
import { printResult, type CommandIo } from './command.js';
import { bodyOf, optionKey, type GivenBody, type GivenValue } from './sandbox-body.js';
import { sendToSandbox, textOf, type SandboxAddress } from './sandbox-request.js';
import { collect } from './setting-options.js';

/** Creates `pipit sandbox …`: one command for each operation that has one. */
export function createSandboxProgram(io: CommandIo): Command {
  const program = new Command('pipit sandbox')
    .enablePositionalOptions()
    .description('control a server that runs with --sandbox')
    .configureOutput({
      writeOut: (text) => io.print(text.trimEnd()),
      writeErr: (text) => io.note(text.trimEnd()),
    })
    .showHelpAfterError('(add --help for help)')
    .exitOverride();
  for (const operation of sandboxOperations) {
    if (operation.command !== undefined) addCommand(program, io, operation, operation.command.split(' '));
  }
  return program;
}

interface CommandOptions extends SandboxAddress, GivenBody {
  readonly json?: true;
  readonly [option: string]: GivenValue;
}

function addCommand(
  program: Command,
  io: CommandIo,
  operation: SandboxOperation,
  words: readonly string[],
): void {
  const command = words.reduce(subcommand, program).description(operation.summary);
  const names = pathParameters(operation.path);
  for (const name of names) command.argument(`<${name}>`, operation.params?.[name]?.description ?? '');
  const query = Object.entries(operation.params ?? {}).filter(([, spec]) => spec.in === 'query');
  for (const [name, { schema, description, required }] of query) {
    command.addOption(optionOf(name, { description, ...schema }).makeOptionMandatory(required));
  }
  for (const [name, schema] of membersOf(operation)) command.addOption(optionOf(name, schema));
  if (operation.body)
    command.option('--body <file>', 'a file with the whole JSON body; - for standard input');
  command
    .option('--url <url>', 'the URL of the server (default http://127.0.0.1:8080; PIPIT_URL)')
    .option('--sandbox-key <key>', `the key of the sandbox (${KEY_VARIABLE})`)
    .option('--json', 'print the answer as JSON')
    .action(async (...given: unknown[]) => {
      const options = command.opts<CommandOptions>();
      const path = names.reduce(
        (text, name, index) => text.replace(`{${name}}`, encodeURIComponent(String(given[index]))),
        operation.path,
      );
      const search = new URLSearchParams();
      for (const [name] of query) {
        const value = options[optionKey(name)];
        if (value !== undefined) search.append(name, String(value));
      }
      const answer = await sendToSandbox(io, options, {
        method: operation.method ?? 'GET',
        path: search.size === 0 ? path : `${path}?${search}`,
        body: await bodyOf(io, membersOf(operation), options),
      });
      printResult(io, options, { json: answer, text: textOf(answer) });
    });
}

/** Returns the subcommand for a word, and adds it if it is missing. It may also have an action. */
function subcommand(parent: Command, word: string): Command {
  const known = parent.commands.find((each) => each.name() === word);
  // The options after `clock set` belong to it, not to `clock`.
  return known ?? parent.command(word).enablePositionalOptions();
}

function membersOf({ body }: SandboxOperation): [string, JsonSchema][] {
  if (body?.kind !== 'json') return [];
  return Object.entries((body.object.schema['properties'] ?? {}) as Record<string, JsonSchema>);
}

function optionOf(name: string, schema: JsonSchema): Option {
  const flag = `--${name.replaceAll('_', '-')}`;
  const { type, enum: values } = schema;
  const choices = Array.isArray(values) ? ` (${values.join(', ')})` : '';
  const description = `${String(schema['description'] ?? '')}${choices}`.trim();
  if (type === 'boolean') return new Option(flag, description);
  if (type === 'array')
    return new Option(`${flag} <value>`, `${description} (repeatable)`).argParser(collect);
  return new Option(`${flag} <value>`, description);
}
