import { command } from '../../cli/command.ts';
import { exitCodes } from '../../errors.ts';
import { getSandbox, stopSandbox } from '../../sandbox/sandbox.ts';
import { leftOut, row, truth } from '../../shape/shape.ts';
import { nameFlag, placeOf } from './place.ts';
import { hasRegistry, type SandboxRow, sandbox, sandboxRow } from './sandbox-row.ts';

/** `sandbox stop` */
export const stop = command({
  summary: 'Stop a sandbox',
  description: `Stops only processes that weir started for this sandbox, identified by process id and start time.
"weir sandbox start" starts the sandbox again with its topics and records, unless its engine is "simulated": that data
was in memory and is lost. The schemas of its schema registry are lost in any case.`,
  examples: [
    ['The default sandbox', 'sandbox stop'],
    ['Another sandbox', 'sandbox stop --name three'],
  ],
  flags: { name: nameFlag },
  changes: 'alters',
  result: row({ ...sandbox.fields, dry_run: leftOut(truth) }),
  async run(context, { name, dryRun }) {
    const place = placeOf(context, name);
    if (dryRun) return { ...(await sandboxRow(await getSandbox(place))), dry_run: true };
    await stopSandbox(place);
    return sandboxRow(await getSandbox(place));
  },
  show: {
    text: (found, _view, { dryRun }) => {
      const { name, state } = found;
      if (state !== 'stopped') return `The sandbox "${name}" ${dryRun ? 'would be stopped' : `is still ${state}`}.\n`;
      return `The sandbox "${name}" is stopped; its data ${fate(found)}.\n`;
    },
    exitCode: ({ state }, { dryRun }) => (state === 'stopped' || dryRun ? exitCodes.ok : exitCodes.failure),
  },
});

/** What becomes of the data. */
function fate(found: SandboxRow): string {
  if (found.engine === 'simulated') return 'was in memory and is lost';
  return hasRegistry(found) ? 'is kept, except for its schemas, which were in memory' : 'is kept';
}
