import { noun } from '../../../cli/command.ts';
import { cluster as resource } from '../../../cloud/cloud-rows.ts';
import { clusters } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { placeFilters, placeFlags } from '../list-filters.ts';
import { getResource, listResources } from '../resource-verbs.ts';
import { clusterView } from '../views.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { select } from './select.ts';
import { update } from './update.ts';

const list = listResources(clusterView, {
  summary: 'List the clusters',
  examples: [
    ['All clusters', 'cloud cluster list'],
    ['Clusters in one region, as data', 'cloud cluster list --region us-central1 --format json'],
  ],
  flags: placeFlags,
  filters: placeFilters,
  read: (cloud, filters) => cloud.listClusters(filters),
});

const get = getResource(
  { resource, findable: clusters, word: [clusterWord, 'id or name of the cluster'] },
  {
    examples: [
      ['By its id', 'cloud cluster get cjb5vehc4vs19qc11pjg'],
      ['By its name, as data', 'cloud cluster get first --format json'],
    ],
  },
);

/** `cloud cluster` */
export const cluster = noun({
  summary: 'Create, list, update, delete and select clusters',
  commands: { create, list, get, update, delete: deleteCommand, select },
});
