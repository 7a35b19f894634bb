import type { GlobalFlags } from '../context.ts';
import type { View } from '../format/view.ts';
import type { Host } from '../host/host.ts';
import { wantsColor } from './output/color.ts';
import type { FlagEntry } from './parse/flag-set.ts';
import type { ParsedLine } from './parse/parse.ts';
import { readFlags } from './parse/values.ts';

/** The values of the global flags. A flag that the command shadows has its default value. */
export interface Globals {
  readonly configOpt: readonly string[];
  readonly profile: string | undefined;
  readonly config: string | undefined;
  readonly brokerConfig: string | undefined;
  readonly format: GlobalFlags['format'];
  readonly verbose: number;
  readonly quiet: boolean;
  readonly trace: string | undefined;
  readonly color: GlobalFlags['color'];
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly noHeaders: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const shadowed: Globals = {
  configOpt: [],
  profile: undefined,
  config: undefined,
  brokerConfig: undefined,
  format: 'text',
  verbose: 0,
  quiet: false,
  trace: undefined,
  color: 'auto',
  noInput: false,
  yes: false,
  noHeaders: false,
  help: false,
  version: false,
};

/** The global flags of a command line. An invalid value counts as not given. */
export function globalsOf(entries: readonly FlagEntry[], line: ParsedLine): Globals {
  const global = entries.filter(({ scope, key }) => scope === 'global' || key === 'profile');
  // The kinds of the declared flags give exactly these types.
  const values = { ...shadowed, ...(readFlags(global, line.uses) as unknown as Globals) };
  // A command that takes several profiles declares the flag itself; the configuration is that of the first.
  const { profile } = values as { readonly profile: string | readonly string[] | undefined };
  return typeof profile === 'object' ? { ...values, profile: profile[0] } : values;
}

/** The global flags as a command sees them. */
export function globalFlagsOf(globals: Globals, host: Host): GlobalFlags {
  const { format, verbose: verbosity, quiet, trace, noInput, yes, noHeaders, color } = globals;
  return {
    format,
    verbosity,
    quiet,
    trace,
    // Evaluated on demand: detecting terminals takes time.
    get noInput() {
      return noInput || Boolean(host.env.CI) || !host.stdin.isTerminal || !host.stderr.isTerminal;
    },
    refusesInput: noInput,
    yes,
    noHeaders,
    color,
  };
}

/** The layout of results: headers, width and color. */
export function viewOf(flags: GlobalFlags, host: Host): View {
  const { isTerminal, columns } = host.stdout;
  const fromEnvironment = Number.parseInt(host.env.COLUMNS ?? '', 10);
  const width = fromEnvironment > 0 ? fromEnvironment : columns;
  return {
    noHeaders: flags.noHeaders,
    columns: isTerminal && flags.format !== 'wide' ? width : undefined,
    color: wantsColor(flags.color, host.env, host.stdout),
  };
}
