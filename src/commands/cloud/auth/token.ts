import { getCommand } from '../../../cli/forms/read.ts';
import { row, string } from '../../../shape/shape.ts';

/** `cloud auth token` */
export const token = getCommand({
  summary: 'Print the token that commands use',
  description: 'Anyone who has the token can use the control plane as you. No other command prints it.',
  examples: [
    ['For another program', 'cloud auth token'],
    ['As data', 'cloud auth token --format json'],
  ],
  apis: ['cloud'],
  row: row({ token: string }),
  read: async (context) => ({ token: await (await context.cloud()).token() }),
  text: ({ token }) => `${token}\n`,
});
