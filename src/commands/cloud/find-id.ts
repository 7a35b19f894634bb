import type { Filters } from '../../cloud/api/api.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';

/** A kind of resource that may be given by name instead of id. */
export type Named = 'cluster' | 'network' | 'resource group';

interface Found {
  readonly id: string;
  readonly name: string;
}

/** Ids of the control plane: 20 letters and digits, or a UUID. */
const idShape = /^(?:[0-9a-v]{20}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * The id of a resource given by id or name. A word that is neither is returned as an id, for the API to refuse.
 * @throws CliError (exit 6) when several resources have that name
 */
export async function idOf(context: Context, what: Named, word: string): Promise<string> {
  return idShape.test(word) ? word : await findByName(context, what, word);
}

async function findByName(context: Context, what: Named, name: string): Promise<string> {
  const matching = (await listOf(context, what, { name_contains: name })).filter((one) => one.name === name);
  const [only, another] = matching;
  if (another === undefined) return only?.id ?? name;
  throw new CliError(exitCodes.conflict, `ambiguous name "${name}": ${matching.length} ${what}s have it`, {
    code: 'AMBIGUOUS_NAME',
    target: name,
    hints: [`use an id instead: ${matching.map(({ id }) => id).join(', ')}`],
  });
}

async function listOf(context: Context, what: Named, filters: Filters): Promise<readonly Found[]> {
  const cloud = await context.cloud();
  if (what === 'cluster') return await cloud.listClusters(filters);
  return what === 'network' ? await cloud.listNetworks(filters) : await cloud.listResourceGroups(filters);
}
