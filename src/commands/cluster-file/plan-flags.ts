import { flag, list, toggle, type ValuesOf } from '../../cli/command.ts';
import type { ClusterFile } from '../../cluster-file/file/document.ts';
import { checkPasswords } from '../../cluster-file/plan/passwords.ts';
import type { PlanRequest } from '../../cluster-file/plan/plan-file.ts';
import type { Context } from '../../context.ts';
import { integer, oneOf, path } from '../../kinds.ts';
import { newUserName } from '../security/user/user-kinds.ts';

/** The files of a cluster. */
export const clusterFile = path;

/** What the files are called in the help. */
export const filesHelp = 'files, folders with YAML files, or "-" for standard input';

/** The flags that decide what a plan may do. */
export const planFlags = {
  prune: toggle({ help: 'delete what the files own (owns) and do not name' }),
  maxDeletes: flag(integer({ min: 0 }), { help: 'the most that may be deleted (default: 5)' }),
  strict: toggle({ help: 'unset configs that are set on the cluster and not in the files' }),
  force: toggle({ help: 'delete topics that are read, and end your own user or right to alter the cluster' }),
  rotate: list(newUserName, { splits: true, help: 'users whose passwords are set again' }),
  allow: list(oneOf('what to allow', ['cluster']), {
    splits: true,
    help: 'also change configs of the whole cluster (cluster_configs)',
  }),
  verifyPasswords: toggle({ help: 'sign in with the passwords of the files, and set those that are other ones' }),
} as const;

/** What the flags ask for. */
export function requestOf({
  prune,
  maxDeletes = 5,
  strict,
  force,
  rotate,
  allow,
}: ValuesOf<typeof planFlags>): PlanRequest {
  return { prune, maxDeletes, strict, force, rotate, allow };
}

/** What the flags ask for, with the passwords that differ if they are to be verified. */
export async function verifiedRequest(context: Context, file: ClusterFile, values: ValuesOf<typeof planFlags>) {
  const request = requestOf(values);
  if (!values.verifyPasswords) return request;
  const passwords = await checkPasswords(context, file);
  return { ...request, passwords, rotate: [...new Set([...request.rotate, ...passwords.drifted])] };
}

/** The first flag of a plan that a line has, as it is typed; undefined for none. */
export function planFlagIn({
  prune,
  maxDeletes,
  strict,
  force,
  rotate,
  allow,
  verifyPasswords,
}: ValuesOf<typeof planFlags>) {
  const given = {
    '--prune': prune,
    '--max-deletes': maxDeletes !== undefined,
    '--strict': strict,
    '--force': force,
    '--rotate': rotate.length > 0,
    '--verify-passwords': verifyPasswords,
    '--allow': allow.length > 0,
  };
  return Object.entries(given).find(([, isGiven]) => isGiven)?.[0];
}
