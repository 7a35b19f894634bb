import { joinErrors } from '../../config/layer.ts';
import { wayKey } from '../../config/options.ts';
import { fileValueOf, type ProfileDraft, valuesOf } from '../../config/profile/edit.ts';
import { faultsOf, parseProfileFile, type StoredProfile } from '../../config/profile/file.ts';
import type { ImportedProperty } from '../../config/profile/properties-import.ts';
import { isProperties } from '../../config/profile/properties-text.ts';
import { isRpkFile } from '../../config/profile/rpk-layout.ts';
import { withoutMark } from '../../config/profile/sandbox-mark.ts';
import { namesProgram } from '../../config/programs.ts';
import { isRpkProfile } from '../../config/rpk-paths.ts';
import { parseBrokerFile } from '../../config/sources/broker-file.ts';
import { fieldsOf, parseYaml } from '../../config/yaml/file.ts';
import { readNamedText } from '../../config/yaml/file-text.ts';
import type { Context } from '../../context.ts';
import { notFoundError, usageError } from '../../errors.ts';
import { absolutePath } from '../../files/locations.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import { readStored } from './profile-file.ts';

/** The contents of a new profile. */
export interface Draft extends Omit<ProfileDraft, 'name'> {
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
export async function draftFrom(context: Context, from: string): Promise<Draft> {
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
  return { ...chosen, lost };
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
