import { command, one } from '../../../cli/command.ts';
import { identifier } from '../identifier.ts';
import { oneOutput, serviceAccountView } from '../views.ts';

/** `cloud service-account get` */
export const get = command({
  summary: 'Show a service account',
  examples: [
    ['By its id', 'cloud service-account get cjb5uh9c4vs1td8emmcg'],
    ['As data', 'cloud service-account get cjb5uh9c4vs1td8emmcg --format json'],
  ],
  apis: ['cloud'],
  args: { id: one(identifier, 'ID', 'id of the service account') },
  changes: 'reads',
  async run(context, { id }) {
    return await (await context.cloud()).getServiceAccount(id);
  },
  output: oneOutput(serviceAccountView),
});
