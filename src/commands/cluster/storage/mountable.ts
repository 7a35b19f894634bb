import type { MountableTopic } from '../../../admin/storage/storage-rows.ts';
import type { Context } from '../../../context.ts';
import { asConflict } from '../member.ts';

/**
 * Reads which topics in object storage can be mounted.
 * @throws CliError (exit 6) if the cluster has no tiered storage: the request has no parameters, so that a 400 can only be
 * about the state of the cluster
 */
export async function readMountable(context: Context): Promise<readonly MountableTopic[]> {
  const admin = await context.admin();
  try {
    return await admin.mountableTopics();
  } catch (error) {
    throw asConflict(error);
  }
}
