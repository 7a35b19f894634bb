import { command } from '../../../cli/command.ts';
import { LicenseInfo, licenseInfo, licenseText, licenseWarnings } from './license-text.ts';

/** `cluster license info` */
export const info = command({
  summary: 'Show the license of the cluster and the features that need it',
  description: `Warns about a license that has expired or ends within 30 days (a free trial: 15 days), and about features that are used
without a valid license. Older versions do not report the features; their license status is only derived from its end.`,
  examples: [
    ['The license', 'cluster license info'],
    ['For a script, with the days that are left', 'cluster license info --format json'],
  ],
  aliases: ['status'],
  apis: ['admin'],
  changes: 'reads',
  result: LicenseInfo,
  async run(context) {
    const admin = await context.admin();
    const license = await admin.license();
    const found = licenseInfo(license, await admin.enterpriseUse(), context.host.now());
    for (const warning of licenseWarnings(found)) context.warn(warning);
    return found;
  },
  show: {
    text: licenseText,
  },
});
