import { command } from '../../cli/command.ts';
import { getSandbox, stopSandbox } from '../../sandbox/sandbox.ts';
import { nameFlag, placeOf } from './place.ts';
import { type SandboxRow, sandboxRow, sandboxSchema } from './sandbox-row.ts';

/** `sandbox stop` */
export const stop = command({
  summary: 'Stop a sandbox',
  description: `Stops only processes that weir started for this sandbox, identified by process id and start time.
"weir sandbox start" starts the sandbox again with its topics and records, unless its engine is "simulated": that data
was in memory and is lost.`,
  examples: [
    ['The default sandbox', 'sandbox stop'],
    ['Another sandbox', 'sandbox stop --name three'],
  ],
  flags: { name: nameFlag },
  changes: 'alters',
  async run(context, { name, dryRun }): Promise<SandboxRow> {
    const place = placeOf(context, name);
    if (dryRun) return sandboxRow(await getSandbox(place));
    await stopSandbox(place);
    return sandboxRow(await getSandbox(place));
  },
  output: {
    schema: sandboxSchema(),
    text: ({ name, state, engine }) => {
      if (state !== 'stopped') return `The sandbox "${name}" would be stopped.\n`;
      return `The sandbox "${name}" is stopped; its data ${engine === 'simulated' ? 'was in memory and is lost' : 'is kept'}.\n`;
    },
  },
});
