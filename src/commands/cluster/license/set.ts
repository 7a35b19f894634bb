import type { License } from '../../../admin/license-rows.ts';
import { flag, optional } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Outcome } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, invalidError, rephrased, stoppedError, usageError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { type Kind, path, text } from '../../../kinds.ts';
import { described, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { licenseInfo, licenseWarnings } from './license-text.ts';

/** What identifies a license; null for what could not be read. */
const Identity = row({
  organization: maybe(string),
  type: maybe(string),
  expires: maybe(string),
  checksum_sha256: maybe(string),
});
type Identity = RowOf<typeof Identity>;

/** The license that the cluster has now. */
const LoadedLicense = row({
  ...Identity.fields,
  previous: described(maybe(Identity), 'the license before; null if there was none'),
});
type LoadedLicense = RowOf<typeof LoadedLicense>;

const secretText: Kind<string> = { ...text, mayHoldSecret: true };

/** Where nodes of the cluster keep their license. */
const ownFile = '/etc/redpanda/redpanda.license';

/** `cluster license set` */
export const set = change({
  summary: 'Load a license into the cluster',
  description: `Reads the license from a file, or from standard input with "--file -", so that it does not appear in the list of
processes. Without either, reads ${ownFile}. The license is checked by the cluster, and never printed. Loading the license
that the cluster has already changes nothing.`,
  examples: [
    ['From a file', 'cluster license set --file redpanda.license'],
    ['From standard input', 'cluster license set --file -'],
    ['Read the license without sending it', 'cluster license set --file redpanda.license --dry-run'],
  ],
  apis: ['admin'],
  args: { license: optional(secretText, 'LICENSE', 'text of the license; other users of this machine can see it') },
  flags: {
    file: flag(path, { aliases: ['path'], help: 'file with the license, or "-" for standard input' }),
  },
  changes: 'alters',
  noun: 'license',
  isOne: true,
  item: LoadedLicense,
  async plan(context, { license, file }) {
    const text = await readLicense(context, license, file);
    const before = rowOf(await (await context.admin()).license(), context);
    return [{ ...before, previous: before.type === null ? null : before, text }];
  },
  async applyEach(context, { previous, text }) {
    const admin = await context.admin();
    sending(context, 'loading the license', 'weir cluster license info');
    await admin.setLicense(text);
    context.onInterrupt(stoppedError('the license has been loaded', ['see it with: weir cluster license info']));
    const after = await readBack(context);
    if (JSON.stringify(after) !== JSON.stringify(previous)) return after;
    context.notice('the cluster has this license already');
    return { ...after, status: 'NOT_NEEDED' as const };
  },
  text: (licenses) => licenses.map(loadedText).join(''),
});

/** The row of a license; its warnings are printed unless it is the one before. */
function rowOf(license: License | undefined, { host }: Context, warn?: Context['warn']): Identity {
  const info = licenseInfo(license, undefined, host.now());
  if (warn !== undefined) for (const warning of licenseWarnings(info)) warn(warning);
  const { organization, type, expires, checksum_sha256 } = info;
  return { organization, type, expires, checksum_sha256 };
}

async function readLicense(context: Context, license: string | undefined, file: string | undefined): Promise<string> {
  if (license !== undefined && file !== undefined) throw usageError('LICENSE and --file are mutually exclusive');
  if (license !== undefined) {
    if (license.trim() === '') throw invalidError('invalid license: it is empty', { target: 'LICENSE' });
    context.warn('other users of this machine can see a license on the command line; use --file');
    return license.trim();
  }
  const { readSecret } = await import('../../../cli/secret.ts');
  const source = { what: 'license', flags: { stdin: '--file -', file: `--file ${shellWord(file ?? ownFile)}` } };
  if (file === '-') return (await readSecret(context, { ...source, stdin: true, file: undefined })).trim();
  try {
    return (await readSecret(context, { ...source, stdin: false, file: file ?? ownFile })).trim();
  } catch (error) {
    if (file !== undefined || !(error instanceof CliError) || error.exitCode !== exitCodes.usage) throw error;
    throw rephrased(error, `no license is given, and ${ownFile} cannot be used`, {
      hints: ['name a file with --file FILE, or use standard input with --file -'],
    });
  }
}

/** The license is loaded, so that a failure to read it is only a warning. */
async function readBack(context: Context): Promise<Identity> {
  let license: License | undefined;
  try {
    license = await (await context.admin()).license();
  } catch (error) {
    if (!(error instanceof CliError) || context.signal.aborted) throw error;
    context.warn(`the license was loaded, but could not be read back: ${error.message}`);
  }
  return rowOf(license, context, context.warn);
}

function loadedText({ previous, status, dry_run: isDryRun, ...license }: LoadedLicense & Outcome): string {
  const old = previous === null ? '' : `that ${nameOf(previous)}`;
  if (isDryRun) return `The license would be sent to the cluster, which checks it${old && ` and replaces ${old}`}.\n`;
  if (license.type === null) return 'The license is loaded.\n';
  return `The license ${nameOf(license)} is loaded${status === 'OK' && old ? `; it replaces ${old}` : ''}.\n`;
}

function nameOf({ organization, type, expires }: Identity): string {
  const end = expires === null ? '' : `, until ${expires}`;
  return printable(`${organization === null ? '' : `of ${organization} `}(${type}${end})`);
}
