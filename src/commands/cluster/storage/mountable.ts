import type { MountableTopic } from '../../../admin/storage/storage-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, withHints } from '../../../errors.ts';
import { asConflict } from '../member.ts';

/**
 * Reads which topics in object storage can be mounted.
 * @throws CliError (exit 6) if the cluster has no tiered storage: the request has no parameters, so that a refusal can only
 * be about the state of the cluster
 */
export async function readMountable(context: Context): Promise<readonly MountableTopic[]> {
  const admin = await context.admin();
  try {
    return await admin.mountableTopics();
  } catch (error) {
    throw storageConflict(error);
  }
}

/** Makes a refusal by the state of the cluster a conflict (exit 6), with what it may lack. */
export function storageConflict(error: unknown): unknown {
  const refused = asConflict(error);
  if (!(refused instanceof CliError) || !/feature is disabled/i.test(refused.message)) return refused;
  return withHints(refused, [
    'mounting needs tiered storage (cluster property cloud_storage_enabled) and a valid license: see weir cluster license info',
  ]);
}
