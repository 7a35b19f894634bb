import { join } from 'node:path';
import { expandHome, variable } from '../../../files/locations.ts';
import { readIfThere } from '../chain.ts';
import type { Machine } from '../options.ts';
import { what } from './keys.ts';

/** The settings of one section of a file. */
export type Section = ReadonlyMap<string, string>;

/** The shared files of AWS. */
export interface SharedFiles {
  /** The settings of a profile, from both files; undefined if neither has it. */
  profile(name: string): Section | undefined;
  /** The settings of an SSO session; undefined if there is none. */
  ssoSession(name: string): Section | undefined;
  /** The names of all profiles. */
  readonly names: readonly string[];
  /** Where the files are, or would be, as people know them. */
  readonly shown: string;
}

/** Reads the two shared files of AWS, none of which need exist. @throws CliError (exit 4) if one cannot be read */
export async function readSharedFiles(machine: Machine, signal: AbortSignal): Promise<SharedFiles> {
  const at = (name: string, usual: string): string | undefined => {
    const path = variable(machine, name);
    if (path !== undefined) return expandHome(machine.home, path);
    return machine.home === undefined ? undefined : join(machine.home, '.aws', usual);
  };
  const paths = [at('AWS_CONFIG_FILE', 'config'), at('AWS_SHARED_CREDENTIALS_FILE', 'credentials')];
  const read = (path: string | undefined) => path && readIfThere(what, path, signal);
  const [config, credentials] = (await Promise.all(paths.map(read))).map((text) => sectionsOf(text ?? ''));
  const profile = (name: string): Section | undefined => {
    const inConfig = config?.get(`profile ${name}`) ?? (name === 'default' ? config?.get('default') : undefined);
    const inCredentials = credentials?.get(name);
    // The file of credentials precedes that of the configuration.
    return inConfig === undefined ? inCredentials : new Map([...inConfig, ...(inCredentials ?? [])]);
  };
  const configNames = [...(config?.keys() ?? [])].flatMap(
    (name) => /^(?:profile )?(?!sso-session |services )(.+)$/.exec(name)?.[1] ?? [],
  );
  return {
    profile,
    ssoSession: (name) => config?.get(`sso-session ${name}`),
    names: [...new Set([...configNames, ...(credentials?.keys() ?? [])])],
    shown: paths.filter((path) => path !== undefined).join(' and '),
  };
}

/** Parses a file with sections. Indented lines belong to the setting above them; weir uses none of these settings. */
export function sectionsOf(text: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const [, heading] = /^\s*\[\s*(.*?)\s*\]\s*(?:[#;].*)?$/.exec(line) ?? [];
    const [, key, value] = /^([^\s#;=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (heading !== undefined) {
      const name = heading.replace(/\s+/g, ' ').replace(/ ["'](.*)["']$/, ' $1');
      section = sections.get(name) ?? new Map();
      sections.set(name, section);
    } else if (key !== undefined && value !== undefined) {
      section?.set(key.toLowerCase(), value.replace(/\s[#;].*$/, ''));
    }
  }
  return sections;
}
