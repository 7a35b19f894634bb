import { noun, one } from '../../cli/command.ts';
import { isUnread } from '../../cloud/api/error-words.ts';
import { type Network, pathOfAll, pathOfOne, network as resource } from '../../cloud/cloud-rows.ts';
import type { Cloud } from '../../cloud/open.ts';
import { commandText } from '../../format/shell-word.ts';
import type { Fields } from '../../shape/object.ts';
import { read } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { bodyFlags, fileFlag, readBody, withIds } from './body.ts';
import { cloudChange, finish, gone, waitFlags } from './change.ts';
import { confirmDeletion, findDoomed, networks } from './find-id.ts';
import { networkWord } from './kinds.ts';
import { placeFilters, placeFlags } from './list-filters.ts';
import { getResource, listResources } from './resource-verbs.ts';
import { networkShape } from './shapes.ts';
import { networkView } from './views.ts';

const create = cloudChange({
  summary: 'Create a network for a cluster',
  description: `Accepts short words for those of the API: gcp means CLOUD_PROVIDER_GCP, byoc means TYPE_BYOC. The command waits
until the network is ready. Ctrl-C only stops waiting, and prints how to continue.`,
  examples: [
    [
      'A network for a BYOC cluster on GCP',
      'cloud network create --name net --resource-group-id 897e76ad --cidr-block 10.0.0.0/20 --cloud-provider gcp --cluster-type byoc --region us-central1',
    ],
    ['From a file, with another name', 'cloud network create --file network.yaml --name second'],
    ['Without waiting', 'cloud network create --file network.yaml --no-wait --format json'],
  ],
  flags: { ...bodyFlags(networkShape), file: fileFlag, ...waitFlags },
  changes: 'creates',
  resource,
  plan: async (context, values) => withIds(context, networkShape, await readBody(context, networkShape, values)),
  request: (body) => ({ method: 'POST', path: pathOfAll(resource), body: { network: body } }),
  async apply(context, body, values) {
    const cloud = await context.cloud();
    const doing = `creating the network "${body.name}"`;
    sending(context, doing, 'weir cloud network list');
    const operation = await cloud.createNetwork(body);
    if (!values.wait) return operation;
    const done = await finish(context, operation, doing, values);
    return await readMade(cloud, done.resource_id || String(done.metadata.network_id ?? ''), body);
  },
});

/** Reads a new network. Of a control plane without this read, it is what was sent. */
async function readMade(cloud: Cloud, id: string, sent: Fields): Promise<Network> {
  try {
    return await cloud.getNetwork(id);
  } catch (error) {
    if (isUnread(error)) return read(resource.answer, { ...sent, id });
    throw error;
  }
}

const deleteCommand = cloudChange({
  summary: 'Delete a network',
  description: `Delete its cluster first; otherwise this fails with exit code 6. The command waits until the network is deleted.`,
  examples: [
    ['By its id', 'cloud network delete cjb5uh9c4vs1td8emmcg'],
    ['Without waiting', 'cloud network delete cjb5uh9c4vs1td8emmcg --no-wait'],
  ],
  args: { id: one(networkWord, 'ID', 'id or name of the network') },
  flags: waitFlags,
  changes: 'destroys',
  resource,
  plan: (context, { id }) => findDoomed(context, networks, id),
  asks: (doomed) => confirmDeletion('network', doomed),
  request: ({ id, name }) => ({ method: 'DELETE', path: pathOfOne(resource, id), target: name || id }),
  async apply(context, { id, name }, values) {
    const doing = `deleting the network ${id}`;
    sending(context, doing, commandText`weir cloud network get ${id}`);
    const operation = await (await context.cloud()).deleteNetwork(id);
    if (!values.wait) return operation;
    await finish(context, operation, doing, values);
    return gone(id, name);
  },
});

/** `cloud network` */
export const network = noun({
  summary: 'Create, list and delete networks',
  commands: {
    create,
    list: listResources(networkView, {
      summary: 'List the networks',
      examples: [
        ['All networks', 'cloud network list'],
        ['Networks in one region, as data', 'cloud network list --region us-central1 --format json'],
      ],
      flags: placeFlags,
      filters: placeFilters,
      read: (cloud, filters) => cloud.listNetworks(filters),
    }),
    get: getResource(
      { resource, findable: networks, word: [networkWord, 'id or name of the network'] },
      {
        examples: [
          ['By its id', 'cloud network get cjb5uh9c4vs1td8emmcg'],
          ['As data', 'cloud network get cjb5uh9c4vs1td8emmcg --format json'],
        ],
      },
    ),
    delete: deleteCommand,
  },
});
