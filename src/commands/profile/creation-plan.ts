import { any, flag, list, optional, toggle, type ValuesOf } from '../../cli/command.ts';
import { joinErrors } from '../../config/layer.ts';
import { profileSettings } from '../../config/option-help.ts';
import { wayKey } from '../../config/options.ts';
import { fileValueOf, type ProfileDraft, valuesOf, withAnchoredPaths } from '../../config/profile/edit.ts';
import { faultsOf, parseProfileFile, type StoredProfile } from '../../config/profile/file.ts';
import type { ImportedProperty } from '../../config/profile/properties-import.ts';
import { isProperties } from '../../config/profile/properties-text.ts';
import { isRpkFile } from '../../config/profile/rpk-layout.ts';
import { withoutMark } from '../../config/profile/sandbox-mark.ts';
import { namesProgram } from '../../config/programs.ts';
import { isRpkProfile } from '../../config/rpk-paths.ts';
import { overlaid } from '../../config/settings/secret-rule.ts';
import { parseBrokerFile } from '../../config/sources/broker-file.ts';
import { fieldsOf, parseYaml } from '../../config/yaml/file.ts';
import { readNamedText } from '../../config/yaml/file-text.ts';
import type { Context } from '../../context.ts';
import { invalidError, missingError, notFoundError, usageError } from '../../errors.ts';
import { absolutePath, rpkFile } from '../../files/locations.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import { path, text } from '../../kinds.ts';
import { readStored, rejectTaken } from './profile-file.ts';
import { withSecrets } from './secret-words.ts';

/** The profiles to create, and the parts of their origin that are lost. */
export interface Plan {
  readonly drafts: readonly ProfileDraft[];
  readonly current: string;
  /** The properties of a file of Kafka clients that became options; undefined for other files. */
  readonly imported?: readonly ImportedProperty[] | undefined;
  readonly lost: readonly string[];
  /** Warnings for what the profiles trust. */
  readonly risks: readonly string[];
}

const assignment = { ...text, hint: 'KEY=VALUE', offers: profileSettings() };

/** The arguments of `profile create`. */
export const createArgs = {
  name: optional(text, 'NAME', 'name of the new profile'),
  words: any(assignment, 'KEY=VALUE', 'options to set, as with --set'),
};

/** The flags of `profile create`. */
export const createFlags = {
  set: list(assignment, { short: 's', help: 'option to set; the key of a secret without a value prompts for it' }),
  description: flag(text, { short: 'd', help: 'description of the profile' }),
  protected: toggle({ help: 'require the typed name before anything is destroyed with the profile' }),
  from: flag({ ...text, hint: 'PROFILE|FILE', completes: 'profile-or-file' } as const, {
    help: 'profile or file to copy, or "current"',
    aliases: ['from-profile', 'from-redpanda'],
  }),
  fromRpk: flag(path, { help: 'import an rpk.yaml (without a value: the one of rpk)', bare: '' }),
};

/** Warnings for the profiles that do not verify certificates, which other programs express in roundabout ways. */
function risksOf({ name, options }: ProfileDraft): readonly string[] {
  return [...options].flatMap(([key, value]) => {
    if (!key.endsWith('tls.insecure_skip_verify') || value !== true) return [];
    const undo = commandText`weir profile unset --profile ${name} ${key}`;
    return [`the new profile accepts any certificate (${key}); to undo that: ${undo}`];
  });
}

/**
 * Determines the profiles to create, without changing the profile file.
 * @throws CliError when the command line or the origin is invalid
 */
export async function planCreation(
  context: Context,
  values: ValuesOf<typeof createArgs & typeof createFlags>,
): Promise<Plan> {
  const { name, from, fromRpk } = values;
  if (fromRpk === '') checkNoFile(name, values.words);
  const { readAssignments } = await import('../../config/sources/assignments.ts');
  if (from !== undefined && fromRpk !== undefined) throw usageError('--from and --from-rpk are mutually exclusive');
  if (from !== 'current') warnOfUnsaved(context);
  const place = { stdin: false, file: undefined, profile: name ?? '', pairs: false };
  if (name !== undefined) await checkName(context, name, fromRpk === undefined);
  const set = await withSecrets(context, [...values.set, ...values.words], place);
  if (name === undefined && fromRpk === undefined) throw missingError('NAME');
  const imported = fromRpk === undefined ? undefined : await planImport(context, fromRpk, name);
  const base: Draft =
    imported?.drafts.find((draft) => draft.name === imported.current) ??
    (from === undefined ? { options: new Map() } : await draftFrom(context, from));
  const assigned = await readAssignments(set, '--set', base.options);
  const complete = (draft: ProfileDraft): ProfileDraft => ({
    name: draft.name,
    description: values.description ?? assigned.description ?? draft.description,
    protected: values.protected || (assigned.protected ?? draft.protected),
    options: withAnchoredPaths(overlaid(draft.options, assigned.options), context.host),
  });
  if (imported !== undefined) {
    const { current, lost } = imported;
    const drafts = imported.drafts.map((draft) => (draft.name === current ? complete(draft) : draft));
    return { drafts, current, lost, risks: drafts.flatMap(risksOf) };
  }
  const current = name ?? '';
  const draft = complete({ ...base, name: current });
  const risks = base.isFromFile ? risksOf(draft) : [];
  return { drafts: [draft], current, imported: base.imported, lost: base.lost ?? [], risks };
}

/** Rejects a name before anything is asked: an invalid one, and one that is taken if no others are created with it. */
async function checkName(context: Context, name: string, isAlone: boolean): Promise<void> {
  const { checkProfileName } = await import('../../config/sources/assignments.ts');
  checkProfileName(name);
  const stored = isAlone ? await readStored(context) : undefined;
  if (stored !== undefined) rejectTaken(stored, [name]);
}

/** Without a value, `--from-rpk` takes no file: the word after it is the name, or a setting. */
function checkNoFile(name: string | undefined, words: readonly string[]): void {
  const isFile = (word: string) => !word.includes('=') && /[/\\]|\.ya?ml$/.test(word);
  const file = [name ?? '', ...words].find(isFile);
  if (file === undefined) return;
  throw invalidError(`invalid ${file === name ? 'profile name' : 'setting'} "${excerpt(file)}": it looks like a file`, {
    hints: [`pass a file to import after "=": --from-rpk=${excerpt(file)}`],
  });
}

/** Options of the line are no part of the profile, unless it copies the configuration in use, which has them. */
function warnOfUnsaved({ optionWords, warn }: Context): void {
  const keys = optionWords.map((word) => word.split('=', 1)[0] ?? '').filter((key) => !key.startsWith('globals.'));
  if (keys.length > 0) warn(`-X ${keys.join(', ')} is for this command only: save it with --set`);
}

async function planImport(context: Context, file: string, name: string | undefined): Promise<Omit<Plan, 'risks'>> {
  const { importRpk } = await import('../../config/profile/rpk-import.ts');
  const path = file === '' ? rpkFile(context.host) : absolutePath(context.host, file);
  if (path === undefined) throw usageError('unable to find an rpk.yaml: the home directory is unknown');
  const { profiles, current: selected, lost } = await importRpk(path);
  const old = selected ?? profiles[0]?.name;
  if (old === undefined) throw usageError(`${path} contains no profile`);
  const current = name ?? old;
  return { drafts: profiles.map((draft) => (draft.name === old ? { ...draft, name: current } : draft)), current, lost };
}

/** The contents of a new profile. */
interface Draft extends Omit<ProfileDraft, 'name'> {
  /** The properties of a file of Kafka clients that became options. */
  readonly imported?: readonly ImportedProperty[];
  /** The parts of a file of another program that could not be used, one line each. */
  readonly lost?: readonly string[];
  /** Whether it is from a file, in which nobody may have noticed what it trusts. */
  readonly isFromFile?: boolean;
}

/**
 * The initial contents of a new profile: the configuration in use for `current`, otherwise the profile of that name,
 * otherwise the file.
 * @throws CliError (exit 3) when neither exists
 */
async function draftFrom(context: Context, from: string): Promise<Draft> {
  if (from === 'current') return await draftFromConfig(context);
  const stored = (await readStored(context))?.profiles.find(({ name }) => name === from);
  if (stored !== undefined) return draftOf(stored);
  const path = absolutePath(context.host, from);
  const content = await readNamedText(path);
  if (content !== undefined) return { ...(await draftFromFile(path, content.text)), isFromFile: true };
  throw notFoundError(`unable to find a profile or file "${excerpt(from)}"`, {
    target: from,
    hints: ['see the profiles with: weir profile list'],
  });
}

async function draftFromConfig(context: Context): Promise<Draft> {
  const config = await context.config();
  const given = config.settings.filter(({ source }) => source !== 'default');
  const options = new Map(
    given.map(({ key, value, from }) =>
      from === undefined ? [key, fileValueOf(key, value)] : [wayKey(key, from.way), from.text],
    ),
  );
  return { description: withoutMark(config.profile?.description), options };
}

function draftOf({ description, protected: isProtected, options, faults }: StoredProfile): Draft {
  if (faults.length > 0) throw joinErrors(faults);
  return { description: withoutMark(description), protected: isProtected, options: valuesOf(options) };
}

async function draftFromFile(path: string, text: string): Promise<Draft> {
  if (isProperties(text)) {
    const { importProperties } = await import('../../config/profile/properties-import.ts');
    const draft = importProperties(path, text);
    if (draft.options.size > 0) return draft;
    throw usageError(`unable to import ${path}: nothing in it is an option of weir`, { hints: draft.lost });
  }
  const yaml = await parseYaml(path, text);
  const root = yaml.valueOf(yaml.document.contents);
  const fields = yaml.yaml.isMap(root) ? fieldsOf(yaml, root, []) : [];
  const keys = fields.map(({ key }) => key);
  // These decide first: a broker configuration file may have the broker's own section schema_registry, too.
  const isOfBroker = keys.some((key) => ['weir', 'rpk', 'redpanda'].includes(key));
  if (!isOfBroker && (isRpkProfile(keys) || isRpkFile(yaml, fields))) return await draftFromRpk(path);
  if (!isOfBroker && keys.includes('profiles')) return await draftFromProfileFile(path, text);
  if (!keys.includes('weir') && !keys.includes('rpk'))
    throw usageError(
      `${path} is neither a profile file, nor a broker configuration file with a section weir or rpk, nor a properties file of Kafka clients`,
    );
  const reading = await parseBrokerFile(yaml);
  if (reading.errors.length > 0) throw joinErrors(reading.errors);
  return withoutPrograms({ options: valuesOf(reading) });
}

async function draftFromRpk(path: string): Promise<Draft> {
  const { importRpk } = await import('../../config/profile/rpk-import.ts');
  const { profiles, current, lost } = await importRpk(path);
  const chosen = profiles.find(({ name }) => name === current) ?? (profiles.length === 1 ? profiles[0] : undefined);
  if (chosen === undefined) throw noChoice(path, profiles.length);
  return { ...chosen, lost: [...lost, ...othersOf(path, profiles, chosen)] };
}

function othersOf(path: string, profiles: readonly ProfileDraft[], chosen: ProfileDraft): readonly string[] {
  const names = profiles.filter((one) => one !== chosen).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `profile ${names.join(', ')}; to import all profiles: ${commandText`weir profile create ${`--from-rpk=${path}`}`}`,
  ];
}

async function draftFromProfileFile(path: string, text: string): Promise<Draft> {
  const file = await parseProfileFile(path, text);
  const faults = faultsOf(file);
  if (faults.length > 0) throw joinErrors(faults);
  const current = file.profiles.find(({ name }) => name === file.current?.name);
  const chosen = current ?? (file.profiles.length === 1 ? file.profiles[0] : undefined);
  if (chosen === undefined) throw noChoice(path, file.profiles.length);
  return withoutPrograms(draftOf(chosen));
}

/** Leaves out the programs: those of a file that is only copied from are for the person to start. */
function withoutPrograms(draft: Draft): Draft {
  const programs = [...draft.options].filter(([key]) => namesProgram(key));
  return {
    ...draft,
    options: new Map([...draft.options].filter(([key]) => !namesProgram(key))),
    lost: programs.map(
      ([key, value]) =>
        `${key}, which starts a program; to use it: ${commandText`weir profile set ${`${key}=${value}`}`}`,
    ),
  };
}

function noChoice(path: string, profiles: number): Error {
  return usageError(`${path} has ${profiles === 0 ? 'no profile' : 'several profiles, and none of them is selected'}`);
}
