import type { EnterpriseUse, License } from '../../../admin/license-rows.ts';
import { count } from '../../../format/count.ts';
import { sections } from '../../../format/sections.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, table } from '../../../format/table.ts';
import { showUtcTime } from '../../../format/time.ts';
import type { View } from '../../../format/view.ts';
import { listOf, maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';

/** The license of a cluster; null for what the server does not report, or for what no license has. */
export const LicenseInfo = row({
  license_status: string,
  license_violation: maybe(truth),
  enterprise_features_in_use: maybe(listOf(string)),
  organization: maybe(string),
  type: maybe(string),
  /** RFC 3339. */
  expires: maybe(string),
  /** Seconds since the epoch. */
  expires_unix: maybe(whole),
  /** Whole days, rounded towards zero; negative after the end. */
  days_left: maybe(whole),
  license_expired: maybe(truth),
  checksum_sha256: maybe(string),
  products: maybe(listOf(string)),
});
export type LicenseInfo = RowOf<typeof LicenseInfo>;

const dayMs = 86_400_000;
/** The last time that JavaScript has a date for, in milliseconds since the epoch. */
const lastDate = 8.64e15;

/** Creates the row of `license info`. @param now in milliseconds since the epoch */
export function licenseInfo(license: License | undefined, use: EnterpriseUse | undefined, now: number): LicenseInfo {
  const endsAt = license === undefined ? null : license.expires * 1000;
  const isExpired = endsAt === null ? null : endsAt <= now;
  return {
    license_status: use?.status ?? statusOf(isExpired),
    license_violation: use?.violation ?? null,
    enterprise_features_in_use: use?.features ?? null,
    organization: license?.organization ?? null,
    type: license?.type ?? null,
    expires: endsAt === null || Math.abs(endsAt) > lastDate ? null : showUtcTime(endsAt),
    expires_unix: license?.expires ?? null,
    days_left: endsAt === null ? null : Math.trunc((endsAt - now) / dayMs) || 0,
    license_expired: isExpired,
    checksum_sha256: license?.checksum ?? null,
    products: license?.products ?? null,
  };
}

function statusOf(isExpired: boolean | null): string {
  if (isExpired === null) return 'not_present';
  return isExpired ? 'expired' : 'valid';
}

/** How many days before the end of a license to warn. */
const warningDays = { trial: 15, other: 30 } as const;

/** What to do something about: the end of the license, and features that are used without one. */
export function licenseWarnings(info: LicenseInfo): readonly string[] {
  const { days_left: left, type, license_violation: isViolated, enterprise_features_in_use: features } = info;
  const warnings: string[] = [];
  const load = 'load another one with: weir cluster license set --file FILE';
  const name = type === 'free_trial' ? 'the trial license' : 'the license';
  const limit = type === 'free_trial' ? warningDays.trial : warningDays.other;
  if (left !== null && info.license_expired)
    warnings.push(`${name} expired ${agoText(left)}${dateText(info)}; ${load}`);
  else if (left !== null && left < limit) warnings.push(`${name} expires ${inText(left)}${dateText(info)}; ${load}`);
  if (isViolated) {
    const used = features === null || features.length === 0 ? '' : ` (${features.join(', ')})`;
    warnings.push(`enterprise features are in use without a valid license${used}`);
  }
  return warnings;
}

function agoText(left: number): string {
  return left === 0 ? 'less than a day ago' : `${count(-left, 'day')} ago`;
}

function inText(left: number): string {
  return left === 0 ? 'in less than a day' : `in ${count(left, 'day')}`;
}

function dateText({ expires }: LicenseInfo): string {
  return expires === null ? '' : `, at ${expires}`;
}

/** The license as names and values under a title, with the rows of rpk. */
export function licenseText(info: LicenseInfo, view: View): string {
  const { license_violation: isViolated, enterprise_features_in_use: features, license_status: status } = info;
  const rows: (readonly [name: string, value: Cell])[] = [
    ['License status:', healthCell(status, status === 'valid' ? 'good' : 'bad')],
    ...(isViolated === null
      ? []
      : [['License violation:', healthCell(String(isViolated), isViolated ? 'bad' : 'good')] as const]),
    ...(features === null || features.length === 0 ? [] : [['Enterprise features in use:', features] as const]),
    ...(info.expires_unix === null ? [] : loadedRows(info)),
  ];
  const body = table([], rows, { ...view, noHeaders: true });
  return sections([{ title: 'license information', body }], view, 'always');
}

function loadedRows(info: LicenseInfo): readonly (readonly [name: string, value: Cell])[] {
  const { days_left: left, license_expired: isExpired } = info;
  return [
    ['Organization:', info.organization],
    ['Type:', info.type],
    ...(info.products === null ? [] : [['Products:', info.products] as const]),
    ['Expires:', info.expires],
    ...(isExpired ? [['License expired:', healthCell('true', 'bad')] as const] : [['Days left:', left] as const]),
  ];
}
