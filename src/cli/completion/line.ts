import type { Given } from '../../config/sources/selection.ts';
import type { Entry } from '../command.ts';
import type { TypedFlag } from '../parse/commander.ts';
import { deprecatedFor } from '../parse/deprecation.ts';
import { flagSet } from '../parse/flag-set.ts';
import { isFlag, lacksValue, splitWords } from '../parse/parse.ts';
import { route } from '../parse/route.ts';

/** What an unfinished command line says. */
export interface UnfinishedLine {
  /** The configuration. */
  readonly given: Given;
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
  const { target, rest } = await route(entries, words);
  const command = target?.type === 'command' ? target : undefined;
  const { typed } = await splitWords(rest, flagSet(command, deprecatedFor(command)));
  return collect(typed);
}

function collect(typed: readonly TypedFlag[]): UnfinishedLine {
  const own = new Map<string, string>();
  const x: string[] = [];
  const deprecated: { flag: string; value: string }[] = [];
  const files: { profile?: string; configFile?: string; brokerConfigFile?: string } = {};
  for (const one of typed) {
    if (lacksValue(one)) continue;
    const { entry, negated, value } = one;
    const text = value ?? String(!negated);
    if (entry.scope === 'deprecated') deprecated.push({ flag: entry.name, value: text });
    if (entry.scope === 'own') own.set(entry.key, text);
    if (entry.scope !== 'global') continue;
    if (entry.key === 'configOpt') x.push(text);
    if (entry.key === 'profile') files.profile = text;
    if (entry.key === 'config') files.configFile = text;
    if (entry.key === 'brokerConfig') files.brokerConfigFile = text;
  }
  return { given: { x, deprecated, ...files }, own };
}

/** Removes the quotes of a word as bash passes it to its completion; nothing is expanded. */
export function unquoted(word: string): string {
  return word.replace(/'([^']*)'?|"((?:\\.|[^"\\])*)"?|\\(.)/gs, (_, single, double, escaped) => {
    return single ?? (double === undefined ? escaped : double.replace(/\\(["\\$`])/g, '$1'));
  });
}

/** The words that `readLine` reads as the same configuration. */
export function wordsOf({ x, deprecated, ...files }: Given): readonly string[] {
  const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [`--${name}=${value}`]);
  return [
    ...x.flatMap((option) => ['-X', option]),
    ...deprecated.flatMap(({ flag: name, value }) => flag(name, value)),
    ...flag('profile', files.profile),
    ...flag('config', files.configFile),
    ...flag('broker-config', files.brokerConfigFile),
  ];
}
