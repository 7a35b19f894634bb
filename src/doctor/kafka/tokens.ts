import type { CliError } from '../../errors.ts';
import { showDuration } from '../../format/duration.ts';
import type { KafkaOptions } from '../../kafka/protocol/options.ts';
import { describeToken } from '../../net/jwt.ts';
import { startChain } from '../chain.ts';
import type { Check } from '../check-rows.ts';

/** How far the clock of an issuer may be off, in milliseconds: the times in tokens are whole seconds. */
const mostSkewMs = 5_000;

/** What was found about the tokens. */
interface CheckedTokens {
  readonly checks: readonly Check[];
  /** The options for the brokers: without a token, the issuer is not asked again for each of them. */
  readonly options: KafkaOptions;
  /** Why there is no token; undefined if there is one, or if none is needed. */
  readonly failure: CliError | undefined;
}

const advice = 'see with which options weir gets tokens: weir config show oauth';

/** Gets the OAuth token that the brokers will see, and says what it claims; nothing without OAuth. */
export async function checkTokens(options: KafkaOptions): Promise<CheckedTokens> {
  const { sasl, deadline } = options;
  if (sasl === undefined || !('tokens' in sasl)) return { checks: [], options, failure: undefined };
  const { tokens } = sasl;
  const chain = startChain({ api: 'kafka', target: tokens.origin, peer: '', advice }, deadline);
  await chain.run('token', async () => {
    const startedAt = deadline.clock.wallTime();
    const { text, issuedAt } = await tokens.get();
    const { claims, faults } = describeToken(text, deadline.clock.wallTime());
    const who = await tokens.identify?.();
    const skewMs = tokens.clockSkewMs() ?? 0;
    const clock = Math.abs(skewMs) > mostSkewMs ? [skewText(skewMs)] : [];
    const doubts = [...faults, ...clock];
    const storedNote = issuedAt === undefined || issuedAt >= startedAt ? [] : [keptText(issuedAt)];
    const detail = [who ?? claims, ...storedNote, ...doubts].join('; ');
    if (doubts.length === 0) return { value: undefined, detail };
    const { whenExpired } = tokens;
    const warning = [
      ...(faults.length > 0 && whenExpired !== undefined ? [whenExpired] : []),
      'set the clocks of this machine, the issuer and the brokers by NTP',
    ];
    return { value: undefined, detail, warning };
  });
  const { checks, failure } = chain;
  if (failure === undefined) return { checks, options, failure };
  const get = () => Promise.reject(failure);
  const failing = { tokens: { ...tokens, get }, ...('sign' in sasl && { sign: get }) };
  return { checks, options: { ...options, sasl: { ...sasl, ...failing } }, failure };
}

/** A kept token says nothing about whether the issuer would grant another one now. */
function keptText(issuedAt: number): string {
  return `kept since ${new Date(issuedAt).toISOString()}, so the issuer was not asked now`;
}

function skewText(skewMs: number): string {
  const span = showDuration(BigInt(Math.round(Math.abs(skewMs) / 1000)) * 1_000_000_000n);
  return `the clock of the issuer is ${span} ${skewMs > 0 ? 'ahead of' : 'behind'} that of this machine`;
}
