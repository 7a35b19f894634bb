import { CliError } from '../../errors.ts';
import type { BearerSource, BearerToken } from '../../net/bearer.ts';

/** The part of its life after which a token is replaced. The Java client does so too (sasl.login.refresh.window.factor). */
export const freshPart = 0.8;

/** What remains of a token that is used although it could not be replaced, in milliseconds. */
export const leastMs = 1_000;

/** Where the tokens of a source come from, other than an issuer. */
export interface RenewedParts {
  readonly given: {
    readonly origin: string;
    read(): Promise<BearerToken>;
    /** Gets another one: the last one was refused, or is about to expire. */
    renew(): Promise<BearerToken>;
    /** Whether every use reads it again. */
    readonly isVolatile: boolean;
  };
  readonly now: () => number;
  /** Gets a line when a token could not be replaced before it expires. */
  readonly warn: (line: string) => void;
}

/** Creates a source that replaces each token before it expires, and a refused one once. Nothing is stored. */
export function renewedSource({ given, now, warn }: RenewedParts): BearerSource {
  const { origin, read, renew, isVolatile } = given;
  const replacements = new Set<string>();
  let pending: Promise<BearerToken> | undefined;
  let current: (BearerToken & { readonly staleAt: number }) | undefined;
  const take = async (from: () => Promise<BearerToken>) => {
    const token = await from();
    const { expiresAt } = token;
    const readAt = now();
    current = { ...token, staleAt: expiresAt === undefined ? Infinity : readAt + (expiresAt - readAt) * freshPart };
    return current;
  };
  /** Connections that need a token at the same time share one run of the command. */
  const shared = (from: () => Promise<BearerToken>): Promise<BearerToken> => {
    pending ??= take(from).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return {
    origin,
    clockSkewMs: () => undefined,
    async get() {
      const old = current;
      if (old === undefined || isVolatile) return await shared(read);
      if (now() < old.staleAt) return old;
      try {
        return await shared(renew);
      } catch (error) {
        if (!(error instanceof CliError) || now() >= (old.expiresAt ?? 0) - leastMs) throw error;
        warn(`using the present token until it expires: ${error.message}`);
        return old;
      }
    },
    async renew(refused) {
      // One that was issued because another was refused would be refused again.
      if (replacements.has(refused)) return undefined;
      const newer = isVolatile || current?.text === refused ? undefined : current;
      const other = newer ?? (await shared(renew));
      if (other.text === refused) return undefined;
      replacements.add(other.text);
      return other;
    },
  };
}
