import { flag, list } from '../../../cli/command.ts';
import { words } from '../../../cloud/api/cloud-words.ts';
import type { Cluster, Secret } from '../../../cloud/cloud-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, usageError } from '../../../errors.ts';
import { type Kind, text } from '../../../kinds.ts';
import { showHostPort } from '../../../net/address.ts';
import { at, filled, fitting, listOf, maybe, read, row, string } from '../../../shape/shape.ts';
import { clusters, readOne } from '../../cloud/find-id.ts';
import { clusterWord, wordKind } from '../../cloud/kinds.ts';

/** The row of a secret; its value cannot be read. */
export const SecretRow = row({ name: string, scopes: listOf(string) });

/** The row of what the data plane answers, with the short names of its scopes. */
export function rowOf({ id, scopes }: Secret) {
  return { name: id, scopes: scopes.map(scopeKind.show) };
}

const secretName: Kind<string> = {
  ...text,
  name: 'name of a secret',
  hint: 'NAME',
  parse(value) {
    if (/^[A-Z][A-Z0-9_]*$/.test(value)) return value;
    throw new Error('a name has upper-case letters, digits and _, and begins with a letter');
  },
};

const scopeWord = wordKind(words.secretScope);
/** rpk's words have underscores: `redpanda_connect`. */
export const scopeKind: Kind<string> = {
  ...scopeWord,
  hint: 'SCOPE',
  offers: words.secretScope.short,
  show: (word) => word.replace(words.secretScope.prefix, '').toLowerCase(),
};

/** The flags for the secret and its cluster. */
export const placeFlags = {
  cluster: flag(clusterWord, {
    help: 'id or name of the cluster (default: the one that has the brokers of the profile)',
  }),
};

/** `--name` of the commands about one secret. */
export const nameFlag = { name: flag(secretName, { help: 'name of the secret, such as DB_PASSWORD', required: true }) };

/** `--scopes`: where a secret may be used. */
export function scopesFlag(help: string) {
  return { scopes: list(scopeKind, { help, splits: true, aliases: ['scope'] }) };
}

/** The calls for the secrets of the cluster that a line means. */
export async function openSecrets(context: Context, { cluster: word }: { readonly cluster: string | undefined }) {
  const cloud = await context.cloud();
  const cluster = await readOne(context, clusters, word ?? (await clusterOfProfile(context)).id);
  const { url } = read(place, cluster);
  if (url !== null) return cloud.secretsAt(url);
  throw new CliError(exitCodes.conflict, `the cluster "${cluster.name}" has no data plane yet`, {
    code: 'CLUSTER_NOT_READY',
    target: cluster.id,
  });
}

const place = row({ url: at('dataplane_api.url', maybe(filled)) });
const seeds = row({ brokers: at('kafka_api.seed_brokers', fitting(string)) });

async function clusterOfProfile(context: Context): Promise<Cluster> {
  const brokers = (await context.config()).get('brokers').map(showHostPort);
  const all = await (await context.cloud()).listClusters();
  const found = all.find((cluster) => read(seeds, cluster).brokers.some((one) => brokers.includes(one)));
  if (found !== undefined) return found;
  throw usageError('no cluster has the brokers of the profile', {
    target: '--cluster',
    hints: ['name one with: --cluster NAME', 'or select it with: weir cloud cluster select NAME'],
  });
}
