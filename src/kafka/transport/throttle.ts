import type { Api } from '../protocol/api.ts';

/** APIs whose answer does not begin with throttle_time_ms: Produce, SaslHandshake, ApiVersions, SaslAuthenticate, OffsetDelete, DescribeQuorum. */
const elsewhere: ReadonlySet<number> = new Set([0, 17, 18, 36, 47, 55]);

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
