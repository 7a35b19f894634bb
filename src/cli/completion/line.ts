import type { ConfigArguments } from '../../config/sources/selection.ts';
import type { Entry } from '../command.ts';
import type { TypedFlag } from '../parse/commander.ts';
import { deprecatedFor } from '../parse/deprecation.ts';
import { flagSet } from '../parse/flag-set.ts';
import { findCommand } from '../parse/named-command.ts';
import { isFlag, lacksValue, splitWords } from '../parse/parse.ts';

/** What an unfinished command line says. */
export interface UnfinishedLine {
  /** The configuration. */
  readonly given: ConfigArguments;
  /** The last value of each flag that is the command's own, as text by key. */
  readonly own: ReadonlyMap<string, string>;
}

const nothing: UnfinishedLine = { given: { x: [], deprecated: [] }, own: new Map() };

/**
 * Reads the flags of an unfinished command line. Arguments are ignored, and nothing is an error. The command is loaded
 * only if the line has a flag: some commands have flags of their own with the names of others.
 */
export async function readLine(entries: readonly Entry[], words: readonly string[]): Promise<UnfinishedLine> {
  if (!words.some(isFlag)) return nothing;
  const { target, rest } = await findCommand(entries, words);
  const command = target?.type === 'command' ? target : undefined;
  const { typed } = await splitWords(rest, flagSet(command, deprecatedFor(command)));
  return collect(typed);
}

function collect(typed: readonly TypedFlag[]): UnfinishedLine {
  const uses = typed
    .filter((one) => !lacksValue(one))
    .map(({ entry, negated, value }) => ({ ...entry, text: value ?? String(!negated) }));
  const globals = (name: string) =>
    uses.filter(({ key, scope }) => key === name && (scope === 'global' || key === 'profile'));
  const [profile, configFile, brokerConfigFile] = ['profile', 'config', 'brokerConfig'].map(
    (name) => globals(name).at(-1)?.text,
  );
  return {
    given: {
      x: globals('configOpt').map(({ text }) => text),
      deprecated: uses
        .filter(({ scope }) => scope === 'deprecated')
        .map(({ name, text }) => ({ flag: name, value: text })),
      ...(profile !== undefined && { profile }),
      ...(configFile !== undefined && { configFile }),
      ...(brokerConfigFile !== undefined && { brokerConfigFile }),
    },
    own: new Map(uses.filter(({ scope }) => scope === 'own').map(({ key, text }) => [key, text])),
  };
}

/** Removes the quotes of a word as bash passes it to its completion; nothing is expanded. */
export function unquoted(word: string): string {
  return word.replace(/'([^']*)'?|"((?:\\.|[^"\\])*)"?|\\(.)/gs, (_, single, double, escaped) => {
    return single ?? (double === undefined ? escaped : double.replace(/\\(["\\$`])/g, '$1'));
  });
}

/** The words that `readLine` reads as the same configuration. */
export function wordsOf({ x, deprecated, ...files }: ConfigArguments): readonly string[] {
  const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}=${value}`]);
  return [
    ...x.flatMap((option) => ['-X', option]),
    ...deprecated.flatMap(({ flag: name, value }) => flag(name, value)),
    ...flag('profile', files.profile),
    ...flag('config', files.configFile),
    ...flag('broker-config', files.brokerConfigFile),
  ];
}
