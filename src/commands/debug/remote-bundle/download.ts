import { flag } from '../../../cli/command.ts';
import { type Column, errorIfAny, tableOf } from '../../../cli/forms/columns.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { showSize } from '../../../format/size.ts';
import type { View } from '../../../format/view.ts';
import { outputPath } from '../../../kinds.ts';
import { described, listOf, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import { brokerFlag, bundleBrokers, jobId } from './bundle-brokers.ts';
import type { ReadyBundle } from './bundle-file.ts';
import { bundleRow, type DebugBundle, itemError, PackedBundle } from './bundle-row.ts';

/** A file with the bundles of several brokers. */
const DownloadedBundles = row({
  job_id: string,
  /** Null if there is no file, because no bundle could be downloaded. */
  file: maybe(string),
  size: maybe(described(whole, 'in bytes')),
  sha256: maybe(string),
  brokers: listOf(PackedBundle),
});
type DownloadedBundles = RowOf<typeof DownloadedBundles>;

/** `debug remote-bundle download` */
export const download = getCommand({
  summary: 'Download the finished debug bundles into one ZIP file',
  description: `The file has one ZIP file for each broker (broker-1.zip, …), and is readable by its owner only. It appears as soon as it
is whole; an existing file is never overwritten (exit code 6). A bundle that is not finished, or does not arrive whole,
is left out and reported, and the exit code is not 0. The SHA-256 checksums of the file and of each bundle are printed.`,
  examples: [
    ['All finished bundles', 'debug remote-bundle download'],
    ['Into a file of this name', 'debug remote-bundle download -o bundle.zip'],
    ['One job only', 'debug remote-bundle download --job-id 3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  ],
  apis: ['admin'],
  flags: {
    output: flag(outputPath, {
      short: 'o',
      help: 'the new file (default: SECONDS-remote-bundle.zip in the working directory)',
    }),
    jobId: flag(jobId, { help: 'id of the job (default: that of all finished bundles)' }),
    broker: brokerFlag,
  },
  row: DownloadedBundles,
  async read(context, { output, jobId: job, broker }) {
    context.onInterrupt(stoppedError('stopped before the file was written', ['repeat the command']));
    const { host } = context;
    const shown = output ?? `${Math.floor(host.now() / 1000)}-remote-bundle.zip`;
    const [{ absolutePath }, { exists, packBundles }] = await Promise.all([
      import('../../../files/locations.ts'),
      import('./bundle-file.ts'),
    ]);
    const path = absolutePath(host, shown);
    if (await isThere(path)) throw exists(shown);
    const status = await findBundles(context, broker, job);
    const { written, bundles } = await context.openEnded(() => packBundles(context, status.ready, { path, shown }));
    context.onInterrupt(undefined);
    return {
      job_id: status.job,
      file: written === null ? null : shown,
      size: written?.size ?? null,
      sha256: written?.sha256 ?? null,
      brokers: [...bundles, ...status.missing].sort((a, b) => a.broker - b.broker),
    };
  },
  text: downloadText,
});

async function isThere(path: string): Promise<boolean> {
  const { lstat } = await import('node:fs/promises');
  return lstat(path).then(
    () => true,
    () => false,
  );
}

interface FoundBundles {
  readonly job: string;
  readonly ready: readonly ReadyBundle[];
  /** Brokers whose bundle is not finished, or that did not answer. */
  readonly missing: readonly PackedBundle[];
}

/** Asks the brokers for their bundles. @throws CliError (exit 6) if none is finished, or if they are of several jobs */
async function findBundles(
  context: Context,
  chosen: readonly number[],
  only: string | undefined,
): Promise<FoundBundles> {
  const brokers = await bundleBrokers(context, chosen);
  const answers = await (await context.admin()).bundles(brokers);
  const rows = answers.map((answer) => bundleRow(answer, only));
  const ready = answers.flatMap(({ broker, state }, at) =>
    state?.status === 'success' && rows[at]?.error === null ? [{ broker, state }] : [],
  );
  const jobs = [...new Set(ready.flatMap(({ state }) => state.job_id ?? []))];
  const [job] = jobs;
  if (job === undefined) throw noneReady(rows, only);
  if (jobs.length > 1)
    throw conflict(`the brokers have bundles of ${jobs.length} jobs: ${jobs.join(', ')}`, 'choose one with --job-id');
  const isReady = new Set(ready.map(({ broker }) => broker));
  return { job, ready, missing: rows.filter(({ broker }) => !isReady.has(broker)).map(missingBundle) };
}

function missingBundle(row: DebugBundle): PackedBundle {
  const { broker, status } = row;
  const reason = status === 'running' ? 'its bundle is not finished' : `it has no bundle (status: ${status})`;
  const error = row.error ?? itemError('NOT_READY', `broker ${broker}: ${reason}`, exitCodes.conflict);
  return { broker, file: null, size: null, sha256: null, error };
}

function noneReady(rows: readonly DebugBundle[], only: string | undefined): CliError {
  const what = only === undefined ? 'a finished debug bundle' : `a finished debug bundle of the job ${only}`;
  const isRunning = rows.some(({ status }) => status === 'running');
  const failed = rows.flatMap(({ broker, error }) => (error === null ? [] : [{ broker, error }]));
  const codes = new Set(failed.map(({ error }) => error.exit_code));
  const [code = exitCodes.conflict] = failed.length === rows.length && codes.size === 1 ? codes : [];
  const reasons = [...new Set(failed.map(({ error }) => error.message))].slice(0, 3);
  return new CliError(code, [`no broker has ${what}`, ...reasons].join('; '), {
    code: 'NOT_READY',
    hints: [
      isRunning
        ? 'wait for it with: weir debug remote-bundle status --wait'
        : 'collect one with: weir debug remote-bundle start --wait',
    ],
  });
}

function conflict(message: string, hint: string): CliError {
  return new CliError(exitCodes.conflict, message, { hints: [hint] });
}

const packedColumns: readonly Column<PackedBundle>[] = [
  'broker',
  ['size', (one) => (one.size === null ? null : showSize(one.size))],
  'sha256',
  errorIfAny(),
];

function downloadText({ file, size, sha256, brokers }: DownloadedBundles, view: View): string {
  const list = tableOf(brokers, packedColumns, view);
  if (file === null) return `${list}No file was written.\n`;
  return `${list}${printable(file)} has ${showSize(size ?? 0)}, SHA-256 ${sha256}\n`;
}
