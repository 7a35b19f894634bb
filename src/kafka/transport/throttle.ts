import type { Api } from '../protocol/api.ts';

/** APIs whose answers do not begin with throttle_time_ms, as the protocol guide lays them out. */
const elsewhere: ReadonlySet<number> = new Set([
  0, // Produce
  17, // SaslHandshake
  18, // ApiVersions
  36, // SaslAuthenticate
  38, // CreateDelegationToken
  39, // RenewDelegationToken
  40, // ExpireDelegationToken
  41, // DescribeDelegationToken
  47, // OffsetDelete
  55, // DescribeQuorum
]);

/**
 * How long the broker wants to be left alone (KIP-219), in milliseconds: it does not read from the
 * connection meanwhile, so a request sent earlier would lose that time from its wait. All flexible
 * versions have the field; older ones are not looked at.
 * @param answer the bytes after the correlation id
 */
export function throttleOf(
  api: Pick<Api<never, unknown>, 'key' | 'flexibleFrom'>,
  version: number,
  answer: Buffer,
): number {
  if (version < api.flexibleFrom || elsewhere.has(api.key)) return 0;
  // One byte of response header 1 (no tagged fields), then the field.
  return answer.length >= 5 && answer[0] === 0 ? Math.max(0, answer.readInt32BE(1)) : 0;
}
