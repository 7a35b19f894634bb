import type { Kind } from '../../kinds.ts';
import type { Argument, Entry } from '../command.ts';
import { outputSchema } from '../output/output-schema.ts';
import { type FlagEntry, flagSet } from '../parse/flag-set.ts';
import { kebab } from '../parse/global-flags.ts';
import { type Leaf, leavesOf, walkTree } from './tree.ts';

/** The whole tree as plain data: commands with their flags, arguments, examples and schemas. */
export async function describeTree(entries: readonly Entry[]): Promise<unknown> {
  const leaves = leavesOf(await walkTree(entries));
  return {
    global_flags: flagSet(undefined).map(describeFlag),
    commands: leaves.map(describeCommand),
  };
}

function describeCommand({ path, command }: Leaf): unknown {
  return {
    command: path.join(' '),
    summary: command.summary,
    ...(command.description === undefined ? {} : { description: command.description }),
    aliases: command.aliases,
    hidden: command.hidden,
    changes: command.changes,
    apis: command.apis,
    arguments: Object.values(command.args).map(describeArgument),
    flags: flagSet(command)
      .filter(({ scope }) => scope === 'own')
      .map(describeFlag),
    examples: command.examples.map(([purpose, line]) => ({ purpose, line: `weir ${line}` })),
    output_schema: outputSchema(command),
  };
}

function describeArgument({ label, arity, kind, help }: Argument<unknown>): unknown {
  return { label, arity, kind: kind.name, ...limitsOf(kind), ...(help && { help }) };
}

/** The values that a kind allows. */
function limitsOf({ choices, range: { min, max } = {} }: Kind<unknown>): Readonly<Record<string, unknown>> {
  return {
    ...(choices && { choices }),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

function describeFlag({ key, short, flag }: FlagEntry): unknown {
  const { kind, fallback } = flag;
  return {
    name: kebab(key),
    ...(short === undefined ? {} : { short }),
    kind: kind.name,
    help: flag.help,
    ...(flag.isSwitch ? {} : limitsOf(kind)),
    ...(flag.aliases.length > 0 && { aliases: flag.aliases }),
    switch: flag.isSwitch,
    repeats: flag.repeats,
    required: flag.required,
    hidden: flag.hidden,
    ...(fallback === undefined || Array.isArray(fallback) ? {} : { default: shown(fallback, flag) }),
  };
}

function shown(fallback: unknown, { kind, isSwitch }: FlagEntry['flag']): unknown {
  if (isSwitch) return fallback;
  return kind.json === undefined ? kind.show(fallback) : kind.json(fallback);
}
