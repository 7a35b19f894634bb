import { getCommand } from '../../../cli/forms/read.ts';
import { LicenseInfo, licenseInfo, licenseText, licenseWarnings } from './license-text.ts';

/** `cluster license info` */
export const info = getCommand({
  summary: 'Show the license of the cluster and the features that need it',
  description: `Warns about a license that has expired or ends within 30 days (a free trial: 15 days), and about features that are used
without a valid license. Older versions do not report the features; their license status is only derived from its end.`,
  examples: [
    ['The license', 'cluster license info'],
    ['For a script, with the days that are left', 'cluster license info --format json'],
  ],
  aliases: ['status'],
  apis: ['admin'],
  row: LicenseInfo,
  async read(context) {
    const admin = await context.admin();
    const license = await admin.license();
    const info = licenseInfo(license, await admin.enterpriseUse(), context.host.now());
    for (const warning of licenseWarnings(info)) context.warn(warning);
    if (license?.organization === null)
      context.notice('the cluster names the organization only to users who log in: set -X user=TEXT and WEIR_PASS');
    return info;
  },
  text: licenseText,
});
