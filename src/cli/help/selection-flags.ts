import type { Context } from '../../context.ts';
import { shellWord } from '../../format/shell-word.ts';

/** A command of a hint, for the configuration that the line selects with flags, such as `--profile prod`. @param words what follows */
export function withSelection(
  { given: { profile, configFile, brokerConfigFile } }: Pick<Context, 'given'>,
  command: string,
  words: readonly string[] = [],
): string {
  const files = { profile, config: configFile, 'broker-config': brokerConfigFile };
  const flags = Object.entries(files).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, value]));
  return [command, ...[...flags, ...words].map(shellWord)].join(' ');
}
