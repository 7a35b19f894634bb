import { command, one } from '../../../cli/command.ts';
import { identifier } from '../identifier.ts';
import { clusterView, oneOutput } from '../views.ts';

/** `cloud cluster get` */
export const get = command({
  summary: 'Show a cluster',
  examples: [
    ['By its id', 'cloud cluster get cjb5vehc4vs19qc11pjg'],
    ['As data', 'cloud cluster get cjb5vehc4vs19qc11pjg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the cluster') },
  changes: 'reads',
  async run(context, { id }) {
    return await (await context.cloud()).getCluster(id);
  },
  output: oneOutput(clusterView),
});
