import { command } from '../../cli/command.ts';
import { booleanSchema } from '../../cli/output/schema.ts';
import { exitCodes } from '../../errors.ts';
import { getSandbox, stopSandbox } from '../../sandbox/sandbox.ts';
import { nameFlag, placeOf } from './place.ts';
import { hasRegistry, type SandboxRow, sandboxRow, sandboxSchema } from './sandbox-row.ts';

interface StoppedRow extends SandboxRow {
  readonly dry_run?: true;
}

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
  async run(context, { name, dryRun }): Promise<StoppedRow> {
    const place = placeOf(context, name);
    if (dryRun) return { ...(await sandboxRow(await getSandbox(place))), dry_run: true };
    await stopSandbox(place);
    return sandboxRow(await getSandbox(place));
  },
  output: {
    schema: sandboxSchema({}, { dry_run: booleanSchema }),
    text: (row) => {
      const { name, state, dry_run } = row;
      if (state !== 'stopped') return `The sandbox "${name}" ${dry_run ? 'would be stopped' : `is still ${state}`}.\n`;
      return `The sandbox "${name}" is stopped; its data ${fate(row)}.\n`;
    },
    exitCode: ({ state, dry_run }) => (state === 'stopped' || dry_run ? exitCodes.ok : exitCodes.failure),
  },
});

/** What becomes of the data. */
function fate(row: StoppedRow): string {
  if (row.engine === 'simulated') return 'was in memory and is lost';
  return hasRegistry(row) ? 'is kept, except for its schemas, which were in memory' : 'is kept';
}
