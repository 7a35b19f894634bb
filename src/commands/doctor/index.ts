import { command, flag } from '../../cli/command.ts';
import { type Check, type CheckStatus, type Checkup, checkup } from '../../doctor/check-rows.ts';
import { exitCodes } from '../../errors.ts';
import { path } from '../../kinds.ts';
import { checkupText, checkupWide } from './text.ts';

/** `doctor` */
export const doctor = command({
  summary: 'Check the connection to every configured API, step by step',
  description: `For every seed broker, checks DNS, TCP, TLS (chain, names, expiry dates), API versions, SASL and metadata; then
every listener that the brokers advertise, and whether the principal has any rights. For the Admin API and the schema
registry, checks that they answer, without sending credentials; for the control plane, checks the token. An API without
addresses or credentials in the configuration is skipped.

A check that fails does not stop the others: only the steps that depend on it are skipped. Nothing is retried. Exits
with 10 if a check failed; warnings do not count. If the command times out, the checks so far are printed.

The file of --report contains the versions, the configuration with the source of each value, the checks and their times,
as JSON with mode 0600. It contains no passwords, tokens or client secrets, but names of users, hosts and files.`,
  examples: [
    ['Find out why a cluster cannot be reached', 'doctor'],
    ['With the time of each check', 'doctor --format wide'],
    ['Write a report for support', 'doctor --report report.json'],
  ],
  apis: ['kafka', 'admin', 'registry', 'cloud'],
  flags: {
    report: flag(path, { help: 'also write a support report without secrets to this file, which is replaced' }),
  },
  changes: 'reads',
  result: checkup,
  async run(context, { report }) {
    const startedAt = context.host.now();
    const progress = context.progress('checking');
    const checks = await context.checkup().finally(() => progress.end());
    const found = checkupOf(checks);
    if (report !== undefined) {
      const { writeReport } = await import('./report.ts');
      await writeReport(context, report, { checkup: found, startedAt });
      context.noticeAfter(`wrote ${report}`);
    }
    return found;
  },
  show: {
    text: checkupText,
    wide: checkupWide,
    exitCode: ({ failed_count: failed }) => (failed === 0 ? exitCodes.ok : exitCodes.checkFailed),
  },
});

/** Counts the checks by status. */
function checkupOf(checks: readonly Check[]): Checkup {
  const count = (status: CheckStatus): number => checks.filter((one) => one.status === status).length;
  return {
    ok_count: count('ok'),
    warning_count: count('warning'),
    failed_count: count('failed'),
    skipped_count: count('skipped'),
    checks,
  };
}
