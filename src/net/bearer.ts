/** A bearer token (RFC 6750). */
export interface BearerToken {
  readonly text: string;
  /** When it expires, in milliseconds since the epoch; undefined if that is not known. */
  readonly expiresAt: number | undefined;
  /** When its issuer granted it, in milliseconds since the epoch; absent if that is not known. */
  readonly issuedAt?: number;
  /** What is known of a token that does not say it itself, as one sentence without the token. */
  readonly about?: string;
  /** The secrets in the text: whoever is sent it may repeat them in another form. */
  readonly secrets?: readonly string[];
}

/** A server that a token is for. */
export interface Peer {
  readonly host: string;
  readonly tls: boolean;
}

/** The source of the tokens of one principal, shared by all connections of a command. */
export interface BearerSource {
  /** Where tokens come from, for messages: a URL, or an option. */
  readonly origin: string;
  /** What to do about a token that has expired; absent if another one is requested. */
  readonly whenExpired?: string;
  /** How far the clock of the issuer is ahead of this one, in milliseconds; undefined if it has not answered. */
  clockSkewMs(): number | undefined;
  /** Returns a token that is not about to expire. */
  get(): Promise<BearerToken>;
  /** Returns a replacement for a token that a server has refused; undefined if there is none. */
  renew(refused: string): Promise<BearerToken | undefined>;
  /** Says whose identity the tokens prove, for a checkup; absent if the tokens say it themselves. */
  identify?(): Promise<string>;
  /** Ensures that a server may get a token; absent if any may. @throws CliError before anything is sent */
  checkPeer?(peer: Peer): Promise<void>;
}
