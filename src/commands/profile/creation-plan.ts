import type { ProfileDraft } from '../../config/profile/edit.ts';
import { excerpt } from '../../config/resolve/layer.ts';
import { checkProfileName, readAssignments } from '../../config/sources/assignments.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { absolutePath, rpkFile } from '../../files/locations.ts';
import { draftFrom } from './draft-from.ts';
import { withSecrets } from './secret-words.ts';

/** What is to be created, and what of its origin is lost. */
export interface Plan {
  readonly drafts: readonly ProfileDraft[];
  readonly current: string;
  readonly lost: readonly string[];
}

/** What the command line says. */
export interface Creation {
  readonly name: string | undefined;
  readonly set: readonly string[];
  readonly description: string | undefined;
  readonly protected: boolean;
  readonly from: string | undefined;
  readonly fromRpk: string | undefined;
}

/**
 * Works out which profiles are to be created; the profile file is not touched.
 * @throws CliError for anything that is wrong with the command line or the origin
 */
export async function planCreation(context: Context, values: Creation): Promise<Plan> {
  const { name, from, fromRpk } = values;
  if (fromRpk === '' && name !== undefined && /[/\\]|\.ya?ml$/.test(name))
    throw usageError(`"${excerpt(name)}" would be the NAME of the profile`, {
      hints: [`a file to import stands behind "=": --from-rpk=${excerpt(name)}`],
    });
  if (name !== undefined) checkProfileName(name);
  if (from !== undefined && fromRpk !== undefined) throw usageError('--from and --from-rpk exclude each other');
  const place = { stdin: false, file: undefined, profile: name ?? '', pairs: false };
  const set = await withSecrets(context, values.set, place);
  const assigned = await readAssignments(set, '--set');
  const complete = (draft: ProfileDraft): ProfileDraft => ({
    name: draft.name,
    description: values.description ?? assigned.description ?? draft.description,
    protected: values.protected || (assigned.protected ?? draft.protected),
    options: new Map([...draft.options, ...assigned.options]),
  });
  if (fromRpk !== undefined) {
    const { drafts, current, lost } = await planImport(context, fromRpk, name);
    return { drafts: drafts.map((draft) => (draft.name === current ? complete(draft) : draft)), current, lost };
  }
  if (name === undefined) throw usageError('a new profile needs a NAME', { hints: ['weir profile create NAME'] });
  const base = from === undefined ? { options: new Map() } : await draftFrom(context, from);
  return { drafts: [complete({ ...base, name })], current: name, lost: [] };
}

async function planImport(context: Context, file: string, name: string | undefined): Promise<Plan> {
  const { importRpk } = await import('../../config/profile/rpk-import.ts');
  const found = file === '' ? rpkFile(context.host) : absolutePath(context.host, file);
  if (found === undefined) throw usageError('no home directory is known to look for an rpk.yaml in');
  const { profiles, current: selected, lost } = await importRpk(found);
  const old = selected ?? profiles[0]?.name;
  if (old === undefined) throw usageError(`${found} holds no profile`);
  const current = name ?? old;
  return { drafts: profiles.map((draft) => (draft.name === old ? { ...draft, name: current } : draft)), current, lost };
}
