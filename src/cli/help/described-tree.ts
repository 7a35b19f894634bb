import { optionRows } from '../../config/option-help.ts';
import { exitCodeMeanings } from '../../errors.ts';
import type { Kind } from '../../kinds.ts';
import type { Argument, Entry } from '../command.ts';
import { publishedSchema } from '../output/output-schema.ts';
import { type FlagEntry, flagSet } from '../parse/flag-set.ts';
import { kebab } from '../parse/global-flags.ts';
import { descriptions } from './help.ts';
import { type Branch, type Leaf, leavesOf, walkTree } from './tree.ts';
import { usage } from './usage.ts';

/** The whole tree as plain data: commands with their flags, arguments, examples and schemas, and what they share. */
export async function describeTree(entries: readonly Entry[]): Promise<Readonly<Record<string, unknown>>> {
  const nodes = await walkTree(entries);
  return {
    global_flags: flagSet(undefined).map(describeFlag),
    options: optionRows(),
    exit_codes: exitCodeMeanings.map(([code, meaning]) => ({ code, meaning })),
    nouns: nodes.flatMap((node) => ('noun' in node ? [describeNoun(node)] : [])),
    commands: leavesOf(nodes).map(describeCommand),
  };
}

function describeNoun({ path, noun: { summary, aliases, hidden } }: Branch): unknown {
  return { noun: path.join(' '), summary, aliases, hidden };
}

function describeCommand({ path, command }: Leaf): unknown {
  const texts = descriptions(command);
  return {
    command: path.join(' '),
    summary: command.summary,
    usage: usage(command, path),
    ...(texts.length === 0 ? {} : { description: texts.join('\n\n') }),
    aliases: command.aliases,
    hidden: command.hidden,
    changes: command.changes,
    ...(command.guarded && { asks_on_protected_profile: command.guarded }),
    apis: command.apis,
    arguments: Object.values(command.args).map(describeArgument),
    flags: flagSet(command)
      .filter(({ scope }) => scope === 'own')
      .map(describeFlag),
    examples: command.examples.map(([purpose, line]) => ({ purpose, line: `weir ${line}` })),
    output_schema: publishedSchema(path, command),
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
    ...(flag.isSwitch ? {} : { hint: kind.hint }),
    ...(flag.bare === undefined ? {} : { value_if_bare: flag.bare }),
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
