import { one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { cluster } from '../../../cloud/cloud-rows.ts';
import { clusters, readOne } from '../find-id.ts';
import { clusterWord } from '../kinds.ts';
import { detail } from '../views.ts';

/** `cloud cluster get` */
export const get = getCommand({
  summary: 'Show a cluster',
  examples: [
    ['By its id', 'cloud cluster get cjb5vehc4vs19qc11pjg'],
    ['By its name, as data', 'cloud cluster get first --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(clusterWord, 'ID', 'id or name of the cluster') },
  row: cluster.row,
  read: (context, { id }) => readOne(context, clusters, id),
  text: detail,
});
