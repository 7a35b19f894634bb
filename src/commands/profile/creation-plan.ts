import { any, flag, list, optional, toggle, type ValuesOf } from '../../cli/command.ts';
import { profileSettings } from '../../config/option-help.ts';
import { type ProfileDraft, withAnchoredPaths } from '../../config/profile/edit.ts';
import type { ImportedProperty } from '../../config/profile/properties-import.ts';
import { overlaid } from '../../config/settings/secret-rule.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { absolutePath, rpkFile } from '../../files/locations.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import { path, text } from '../../kinds.ts';
import { type Draft, draftFrom } from './draft.ts';
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
  if (fromRpk === '') checkNoFile(name);
  const { checkProfileName, readAssignments } = await import('../../config/sources/assignments.ts');
  if (name !== undefined) checkProfileName(name);
  if (from !== undefined && fromRpk !== undefined) throw usageError('--from and --from-rpk are mutually exclusive');
  if (from !== 'current') warnOfUnsaved(context);
  const place = { stdin: false, file: undefined, profile: name ?? '', pairs: false };
  const set = await withSecrets(context, [...values.set, ...values.words], place);
  if (name === undefined && fromRpk === undefined)
    throw usageError('a new profile needs a NAME', { hints: ['use: weir profile create NAME'] });
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

/** Without a value, `--from-rpk` takes no file: the word after it is the name. */
function checkNoFile(name = ''): void {
  if (!/[/\\]|\.ya?ml$/.test(name)) return;
  throw usageError(`invalid profile name "${excerpt(name)}": it looks like a file`, {
    hints: [`pass a file to import after "=": --from-rpk=${excerpt(name)}`],
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
