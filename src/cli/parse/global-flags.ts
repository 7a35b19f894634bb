import { oneOf, path, text } from '../../kinds.ts';
import { dryRun, type Flag, flag, list, toggle } from '../command.ts';

const profileName = { ...text, name: 'profile name', hint: 'NAME', completes: 'profile' } as const;
const optionText = { ...text, name: 'option', hint: 'KEY=VALUE' } as const;

const ownFormats = oneOf('output format', ['text', 'wide', 'json', 'yaml', 'schema']);

/** rpk's other words for the same. */
const rpkFormats: ReadonlyMap<string, string> = new Map([
  ['short', 'text'],
  ['long', 'wide'],
  ['help', 'schema'],
]);

/** The output formats of `--format`. */
export const formats = {
  ...ownFormats,
  parse: (word: string) => ownFormats.parse(rpkFormats.get(word.toLowerCase()) ?? word),
};

/** The flags that every command has, in the order of the help. A switch that repeats is counted. */
export const globalFlags = {
  configOpt: list(optionText, { short: 'X', help: 'set an option; see -X list, and -X help KEY' }),
  profile: flag(profileName, { help: 'profile to use for this command' }),
  config: flag(path, { help: 'profile file to use' }),
  brokerConfig: flag(path, { help: 'broker configuration file to use' }),
  format: flag(formats, { help: 'output format', fallback: 'text' }),
  verbose: counted({ short: 'v', help: 'show steps; -vv also shows details and stack traces' }),
  quiet: toggle({ short: 'q', help: 'print no notices, warnings or progress' }),
  trace: flag({ ...path, hint: 'FILE|-' }, { help: 'write one line per request to FILE (- for standard error)' }),
  color: flag(oneOf('color', ['auto', 'always', 'never']), { help: 'when to use color', fallback: 'auto' }),
  noInput: toggle({ help: 'never prompt; refuse to destroy anything without --yes' }),
  yes: toggle({ help: 'answer yes to every prompt', aliases: ['no-confirm'] }),
  noHeaders: toggle({ help: 'omit the header lines of tables' }),
  help: toggle({ short: 'h', help: 'show help' }),
  version: toggle({ help: 'show the version' }),
} as const satisfies Record<string, Flag<unknown>>;

/** The flag of every command that changes something. */
export const dryRunFlag = dryRun();

function counted(options: { short: string; help: string }): Flag<number> {
  return { ...(toggle(options) as Flag<unknown>), repeats: true, fallback: 0 } as Flag<number>;
}

/** `dryRun` as it is typed: `dry-run`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
