import { flag, noun } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { missingError } from '../../../errors.ts';
import { text } from '../../../kinds.ts';
import { nameFlag, openSecrets, placeFlags, rowOf, SecretRow, scopesFlag } from './data-plane.ts';
import { readValue, valueFlags } from './value.ts';

const list = listCommand({
  summary: 'List the secrets of a cluster',
  examples: [
    ['Those of the cluster of the profile', 'security secret list'],
    ['Some of another cluster', 'security secret list --name-contains DB_ --cluster first'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  flags: { nameContains: flag(text, { help: 'list only those whose names have this in them' }), ...placeFlags },
  row: SecretRow,
  async read(context, { nameContains, ...place }) {
    const secrets = await (await openSecrets(context, place)).listSecrets({ name_contains: nameContains });
    return secrets.map(rowOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  },
  columns: ['name', 'scopes'],
});

const one = { apis: ['cloud'], noun: 'secret', isOne: true, item: SecretRow } as const;

const create = change({
  ...one,
  summary: 'Create a secret',
  description: `The properties of a cluster and its pipelines refer to it as \${secrets.NAME}. Its value cannot be read again.`,
  examples: [
    ['A value that is typed', 'security secret create --name DB_PASSWORD --scopes redpanda_connect'],
    ['From a file', 'security secret create --name S3_KEY --scopes redpanda_cluster --value-file key.txt'],
  ],
  flags: {
    ...nameFlag,
    ...scopesFlag('where the secret may be used: redpanda_connect, redpanda_cluster'),
    ...valueFlags,
    ...placeFlags,
  },
  changes: 'creates',
  async plan(context, { name, scopes, cluster, ...values }) {
    if (scopes.length === 0) throw missingError('--scopes');
    const value = await readValue(context, values);
    const calls = await openSecrets(context, { cluster });
    return [{ ...rowOf({ id: name, scopes }), calls, given: { scopes, value } }];
  },
  applyEach: async (_context, { calls, name, given }) => rowOf(await calls.createSecret(name, given)),
  would: 'be created',
});

const update = change({
  ...one,
  summary: 'Replace the value of a secret',
  description:
    'It keeps its scopes unless --scopes replaces them. A secret that does not exist is an error (exit code 3).',
  examples: [
    ['A value that is typed', 'security secret update --name DB_PASSWORD'],
    ['Other scopes as well', 'security secret update --name DB_PASSWORD --value-stdin --scopes redpanda_cluster'],
  ],
  flags: { ...nameFlag, ...scopesFlag('where the secret may be used instead'), ...valueFlags, ...placeFlags },
  changes: 'alters',
  async plan(context, { name, scopes: given, cluster, ...values }) {
    const value = await readValue(context, values);
    const calls = await openSecrets(context, { cluster });
    const { scopes } = await calls.getSecret(name);
    const wanted = { scopes: given.length === 0 ? scopes : given, value };
    return [{ ...rowOf({ id: name, scopes: wanted.scopes }), calls, given: wanted }];
  },
  applyEach: async (_context, { calls, name, given }) => rowOf(await calls.updateSecret(name, given)),
  would: 'be replaced',
});

const deleteCommand = change({
  ...one,
  summary: 'Delete a secret',
  description: 'What refers to it stops working. A secret that does not exist is an error (exit code 3).',
  examples: [
    ['One secret', 'security secret delete --name DB_PASSWORD'],
    ['Show what would be deleted', 'security secret delete --name DB_PASSWORD --dry-run'],
  ],
  flags: { ...nameFlag, ...placeFlags },
  changes: 'destroys',
  namesAll: true,
  async plan(context, { name, cluster }) {
    const calls = await openSecrets(context, { cluster });
    return [{ ...rowOf(await calls.getSecret(name)), calls }];
  },
  asks: ([secret]) => ({ question: `Delete the secret "${secret?.name}"`, name: secret?.name ?? '' }),
  async applyEach(_context, { calls, name }) {
    await calls.deleteSecret(name);
    return {};
  },
  would: 'be deleted',
});

/** `security secret` */
export const secret = noun({
  summary: 'Manage the secrets of a cluster of Redpanda Cloud',
  commands: { create, list, update, delete: deleteCommand },
});
