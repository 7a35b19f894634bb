import { flag, optional } from '../cli/command.ts';
import { getCommand } from '../cli/forms/read.ts';
import { settingRow } from '../config/settings/provenance.ts';
import type { Context } from '../context.ts';
import { type Check, type CheckStatus, Checkup, checkedApis } from '../doctor/check-rows.ts';
import { exitCodes } from '../errors.ts';
import { absolutePath } from '../files/locations.ts';
import { replaceFile } from '../files/replace.ts';
import { count } from '../format/count.ts';
import { type Section, sections } from '../format/sections.ts';
import { type Health, healthCell } from '../format/style.ts';
import { type Cell, table } from '../format/table.ts';
import { showUtcTime } from '../format/time.ts';
import type { View } from '../format/view.ts';
import { oneOf, outputPath } from '../kinds.ts';
import { version } from '../version.ts';

/** `doctor` */
export const doctor = getCommand({
  summary: 'Check the connection to every configured API, step by step',
  description: `For every seed broker, checks DNS, TCP, TLS, API versions, SASL and metadata; then every listener
that the brokers advertise, and whether the principal has any rights. Checks that the Admin API and the schema registry
answer and accept the credentials, which are sent over TLS or to this machine only, and checks the token for the
control plane. An API that is not configured is skipped, unless you name it.

Nothing is retried, and a check that fails skips only the steps that depend on it. Exits with 10 if a check failed;
warnings do not count.

--report writes the versions, the configuration with the source of each value, and the checks to a JSON file. It
contains no passwords, tokens or client secrets, but names of users, hosts and files.`,
  examples: [
    ['Find out why a cluster cannot be reached', 'doctor'],
    ['Check only the brokers', 'doctor kafka'],
    ['With the time of each check', 'doctor --format wide'],
    ['Write a report for support', 'doctor --report report.json'],
  ],
  apis: ['kafka', 'admin', 'registry', 'cloud'],
  args: { api: optional(oneOf('API', checkedApis), 'API', 'the only API to check (default: all that are configured)') },
  flags: {
    report: flag(outputPath, { help: 'also write a support report without secrets to this file, which is replaced' }),
  },
  row: Checkup,
  async read(context, { api, report }) {
    const startedAt = context.host.now();
    const progress = context.progress('checking');
    const checks = await context.checkup(api).finally(() => progress.end());
    const checkup = checkupOf(checks);
    if (report !== undefined) {
      await writeReport(context, report, { checkup, startedAt });
      context.noticeAfter(`wrote ${report}`);
    }
    return checkup;
  },
  text: checkupText,
  wide: checkupWide,
  exitCode: ({ failed_count: failed }) => (failed === 0 ? exitCodes.ok : exitCodes.checkFailed),
});

/** Counts the checks by status. */
function checkupOf(checks: readonly Check[]): Checkup {
  const countOf = (status: CheckStatus): number => checks.filter((one) => one.status === status).length;
  return {
    ok_count: countOf('ok'),
    warning_count: countOf('warning'),
    failed_count: countOf('failed'),
    skipped_count: countOf('skipped'),
    checks,
  };
}

const healths: Readonly<Record<CheckStatus, Health | undefined>> = {
  ok: 'good',
  warning: 'pending',
  failed: 'bad',
  skipped: undefined,
};

/** The checks as a table, without the skipped steps of an API that was checked, and what to do about what they found. */
function checkupText({ checks }: Checkup, view: View): string {
  const checked = new Set(checks.filter(({ status }) => status !== 'skipped').map(({ api }) => api));
  const shown = checks.filter(({ api, status }) => status !== 'skipped' || !checked.has(api));
  const rows = shown.map((check) => [...cells(check), check.detail]);
  const hidden = checks.length - shown.length;
  const rest = hidden === 0 ? '' : `\n${count(hidden, 'step')} skipped; to show them: --format wide\n`;
  const body = table([...headers, 'detail'], rows, view) + rest;
  return sections([{ title: 'checks', body }, ...advice(checks, view)], view);
}

/** The same with the time and the code of each failure. */
function checkupWide({ checks }: Checkup, view: View): string {
  const rows = checks.map((check) => [...cells(check), check.duration_ms, check.error_code, check.detail]);
  const body = table([...headers, 'milliseconds', 'code', 'detail'], rows, view);
  return sections([{ title: 'checks', body }, ...advice(checks, view)], view);
}

const headers = ['api', 'target', 'step', 'status'];

function cells({ api, target, step, status }: Check): Cell[] {
  const health = healths[status];
  return [api, target, step, health === undefined ? status : healthCell(status, health)];
}

/** Each hint once, with the first check that gave it. */
function advice(checks: readonly Check[], view: View): readonly Section[] {
  const seen = new Set<string>();
  const rows = checks.flatMap(({ api, target, step, hints }) =>
    hints
      .filter((hint) => !seen.has(`${api} ${hint}`))
      .map((hint): Cell[] => {
        seen.add(`${api} ${hint}`);
        return [api, target, step, hint];
      }),
  );
  if (rows.length === 0) return [];
  return [{ title: 'what to do', body: table(['api', 'target', 'step', 'advice'], rows, view) }];
}

/** The result of a checkup and when it began, in milliseconds since the epoch. */
interface Reported {
  readonly checkup: Checkup;
  readonly startedAt: number;
}

/**
 * Writes a support report, whole or not at all, with mode 0600. It leaves out the command line and the environment,
 * which may contain secrets.
 */
async function writeReport(context: Context, file: string, reported: Reported): Promise<void> {
  const text = `${JSON.stringify(await reportOf(context, reported), undefined, 2)}\n`;
  await replaceFile(absolutePath(context.host, file), text);
}

async function reportOf({ config, host }: Context, { checkup, startedAt }: Reported): Promise<object> {
  const { profile, settings } = await config();
  return {
    versions: { weir: version, runtime: host.runtime.name, os: host.platform, arch: host.runtime.arch },
    started_at: showUtcTime(startedAt),
    duration_ms: host.now() - startedAt,
    profile: profile?.name ?? null,
    config: settings.map((setting) => settingRow(setting, false)),
    checkup,
  };
}
