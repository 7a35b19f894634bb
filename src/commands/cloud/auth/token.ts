import { command } from '../../../cli/command.ts';
import { row, string } from '../../../shape/shape.ts';

/** `cloud auth token` */
export const token = command({
  summary: 'Print the token that commands use',
  description: 'Anyone who has the token can use the control plane as you. No other command prints it.',
  examples: [
    ['For another program', 'cloud auth token'],
    ['As data', 'cloud auth token --format json'],
  ],
  apis: ['cloud'],
  changes: 'reads',
  result: row({ token: string }),
  async run(context) {
    return { token: await (await context.cloud()).token() };
  },
  show: { text: ({ token }) => `${token}\n` },
});
