import { change } from '../../cli/forms/change.ts';
import type { Outcome } from '../../cli/forms/outcome.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf } from '../../errors.ts';
import { getSandbox, stopSandbox } from '../../sandbox/sandbox.ts';
import { row } from '../../shape/shape.ts';
import { locationOf, nameFlag } from './location.ts';
import { hasRegistry, SandboxRow, sandboxRow } from './sandbox-row.ts';

/** `sandbox stop` */
export const stop = change({
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
  noun: 'sandbox',
  isOne: true,
  item: row(SandboxRow.fields),
  async plan(context, { name }) {
    return [await sandboxRow(await getSandbox(locationOf(context, name)))];
  },
  async applyEach(context, _sandbox, { name }) {
    const location = locationOf(context, name);
    await stopSandbox(location);
    const stopped = await sandboxRow(await getSandbox(location));
    return { ...stopped, error: stopped.state === 'stopped' ? null : stillRunning(stopped) };
  },
  text: ([row]) => (row === undefined ? '' : stoppedText(row)),
});

function stillRunning({ name, state }: SandboxRow): ItemError {
  const error = new CliError(exitCodes.failure, `sandbox "${name}" is still ${state}`, { code: 'SANDBOX_RUNNING' });
  return itemErrorOf(error);
}

function stoppedText({ dry_run: isDryRun, ...row }: SandboxRow & Outcome): string {
  const { name, state } = row;
  if (state !== 'stopped') return `The sandbox "${name}" ${isDryRun ? 'would be stopped' : `is still ${state}`}.\n`;
  return `The sandbox "${name}" is stopped; its data ${fate(row)}.\n`;
}

/** What becomes of the data. */
function fate(row: SandboxRow): string {
  if (row.engine === 'simulated') return 'was in memory and is lost';
  return hasRegistry(row) ? 'is kept, except for its schemas, which were in memory' : 'is kept';
}
